import { ChannelType } from './channel-types.ts'
import { ai360 } from './ai360/manifest.ts'
import { anthropic } from './anthropic/manifest.ts'
import { azure } from './azure/manifest.ts'
import { bedrock } from './bedrock/manifest.ts'
import { custom } from './custom/manifest.ts'
import { deepseek } from './deepseek/manifest.ts'
import { fastgpt } from './fastgpt/manifest.ts'
import { gemini } from './gemini/manifest.ts'
import { lingyiwanwu } from './lingyiwanwu/manifest.ts'
import { moonshot } from './moonshot/manifest.ts'
import { ollama } from './ollama/manifest.ts'
import { openai } from './openai/manifest.ts'
import { openrouter } from './openrouter/manifest.ts'
import { siliconflow } from './siliconflow/manifest.ts'
import { submodel } from './submodel/manifest.ts'
import { vertex } from './vertex/manifest.ts'
import { volcengine } from './volcengine/manifest.ts'
import { xai } from './xai/manifest.ts'
import { xinference } from './xinference/manifest.ts'
import { ali } from './ali/manifest.ts'
import { baiduV2 } from './baidu-v2/manifest.ts'
import { cloudflare } from './cloudflare/manifest.ts'
import { jina } from './jina/manifest.ts'
import { minimax } from './minimax/manifest.ts'
import { mistral } from './mistral/manifest.ts'
import { mokaai } from './mokaai/manifest.ts'
import { perplexity } from './perplexity/manifest.ts'
import { tencent } from './tencent/manifest.ts'
import { xunfei } from './xunfei/manifest.ts'
import { zhipu, zhipuV4 } from './zhipu/manifest.ts'
import { retiredVendors } from './retired-vendors.ts'
import { doubaoVideo, jimeng, kling, midjourneyProxy, midjourneyProxyPlus, sora, suno, vidu } from './task-vendors/manifest.ts'
import { advancedCustom } from './advanced-custom/manifest.ts'
import { baidu } from './baidu/manifest.ts'
import { codex } from './codex/manifest.ts'
import { cohere } from './cohere/manifest.ts'
import { coze } from './coze/manifest.ts'
import { dify } from './dify/manifest.ts'
import { replicate } from './replicate/manifest.ts'
import { aigc2d, ails, aiProxy, api2gpt, ohMyGpt, openaiMax } from './resellers/manifest.ts'
import type { Vendor } from './vendor.ts'

export { ChannelType } from './channel-types.ts'
export type { Vendor } from './vendor.ts'

/** The vendor of every channel type; a missing type does not compile. */
export const vendors: Readonly<Record<ChannelType, Vendor>> = {
  ...retiredVendors,
  [ChannelType.OpenAI]: openai,
  [ChannelType.Ollama]: ollama,
  [ChannelType.OpenAIMax]: openaiMax,
  [ChannelType.OhMyGPT]: ohMyGpt,
  [ChannelType.Custom]: custom,
  [ChannelType.AILS]: ails,
  [ChannelType.AIProxy]: aiProxy,
  [ChannelType.AzureOpenAI]: azure,
  [ChannelType.Bedrock]: bedrock,
  [ChannelType.VertexAI]: vertex,
  [ChannelType.Anthropic]: anthropic,
  [ChannelType.API2GPT]: api2gpt,
  [ChannelType.AIGC2D]: aigc2d,
  [ChannelType.AI360]: ai360,
  [ChannelType.OpenRouter]: openrouter,
  [ChannelType.FastGPT]: fastgpt,
  [ChannelType.Gemini]: gemini,
  [ChannelType.Moonshot]: moonshot,
  [ChannelType.LingYiWanWu]: lingyiwanwu,
  [ChannelType.SiliconFlow]: siliconflow,
  [ChannelType.DeepSeek]: deepseek,
  [ChannelType.VolcEngine]: volcengine,
  [ChannelType.Xinference]: xinference,
  [ChannelType.XAI]: xai,
  [ChannelType.Submodel]: submodel,
  [ChannelType.AdvancedCustom]: advancedCustom,
  [ChannelType.Baidu]: baidu,
  [ChannelType.Codex]: codex,
  [ChannelType.Cohere]: cohere,
  [ChannelType.Coze]: coze,
  [ChannelType.Dify]: dify,
  [ChannelType.Replicate]: replicate,
  [ChannelType.Ali]: ali,
  [ChannelType.BaiduV2]: baiduV2,
  [ChannelType.Cloudflare]: cloudflare,
  [ChannelType.Jina]: jina,
  [ChannelType.MiniMax]: minimax,
  [ChannelType.Mistral]: mistral,
  [ChannelType.MokaAI]: mokaai,
  [ChannelType.Perplexity]: perplexity,
  [ChannelType.Tencent]: tencent,
  [ChannelType.Xunfei]: xunfei,
  [ChannelType.Zhipu]: zhipu,
  [ChannelType.ZhipuV4]: zhipuV4,
  [ChannelType.MidjourneyProxy]: midjourneyProxy,
  [ChannelType.MidjourneyProxyPlus]: midjourneyProxyPlus,
  [ChannelType.Suno]: suno,
  [ChannelType.Kling]: kling,
  [ChannelType.Jimeng]: jimeng,
  [ChannelType.Vidu]: vidu,
  [ChannelType.DoubaoVideo]: doubaoVideo,
  [ChannelType.Sora]: sora,
}

const byNumber: ReadonlyMap<number, Vendor> = new Map(Object.values(vendors).map((vendor) => [vendor.channelType, vendor]))

/** The vendor of a stored channel type; undefined for unknown numbers. */
export function findVendor(channelType: number): Vendor | undefined {
  return byNumber.get(channelType)
}
