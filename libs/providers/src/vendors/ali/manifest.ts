import { findTask } from '../../vendor-formats/ali-images/tasks.ts'
import { ChannelType } from '../channel-types.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

const common = {
  channelType: ChannelType.Ali,
  name: { zh: '阿里通义千问', en: 'Alibaba Tongyi Qianwen' },
  ownedBy: 'ali',
  baseUrl: 'https://dashscope.aliyuncs.com',
  auth: bearer(),
  models: makerModels['Alibaba Cloud'],
  listing: 'models',
  streamOptions: true,
} as const

/** Image models before Wan 2.6 work only as tasks. */
const imageTasks = vendor({
  ...common,
  formats: ['ali-image-tasks'],
  headers: () => ({ 'x-dashscope-async': 'enable' }),
  followUp: findTask,
  reference: { url: 'https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference', checked: '2026-11-24' },
})

/** The compatible mode of DashScope; images have its own form. */
export const ali = vendor({
  ...common,
  formats: ['openai-chat', 'openai-completions', 'openai-embeddings', 'rerank', 'ali-images', 'anthropic-messages'],
  address: openAiPaths({
    'openai-chat': '/compatible-mode/v1/chat/completions',
    'openai-completions': '/compatible-mode/v1/completions',
    'openai-embeddings': '/compatible-mode/v1/embeddings',
    // https://help.aliyun.com/en/model-studio/text-rerank-api
    rerank: '/compatible-api/v1/reranks',
    'anthropic-messages': '/apps/anthropic/v1/messages',
  }),
  quirks: {
    clamp: { top_p: { min: 0.001, max: 0.999 } },
    // Qwen3 refuses a call without a stream that lets it think; models that only think refuse the switch.
    // https://help.aliyun.com/zh/model-studio/deep-thinking (read 2026-11-27)
    wholeDefaults: { enable_thinking: false },
    withoutDefaults: {
      models: /thinking|^(?:qwq|qvq)|^qwen3\.8-max|deepseek-r1|kimi-k2-thinking/,
      fields: ['reasoning_effort', 'thinking_budget'],
    },
    requiresContent: true,
  },
  // https://github.com/QwenLM/Qwen/issues/2244: 400 "unknown variant `system`".
  systemMessages: { 'anthropic-messages': 'user' },
  headers: ({ other }): Record<string, string> => (other.trim() === '' ? {} : { 'x-dashscope-plugin': other.trim() }),
  otherHint: { zh: '插件参数，即请求头 X-DashScope-Plugin 的值', en: 'Plugin parameter: the value of header X-DashScope-Plugin' },
  otherApis: [{ serves: ({ model }) => TASK_MODELS.test(model), vendor: imageTasks }],
  reference: { url: 'https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope', checked: '2026-11-23' },
})

const TASK_MODELS = /^(?:wanx|wan2\.[0-5]-t2i|flux|stable-diffusion)/
