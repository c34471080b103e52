import { ownValue } from '@tollgate/contracts/values/own-value'
import type { CallFacts } from '../../calls/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { baidu as models } from '../preset-models.ts'
import { vendor } from '../vendor.ts'

/** Qianfan’s first API: the model is part of the path, and libs/upstream adds the access token. */
export const baidu = vendor({
  channelType: ChannelType.Baidu,
  name: { zh: '百度文心千帆', en: 'Baidu Wenxin Qianfan' },
  ownedBy: 'baidu',
  baseUrl: 'https://aip.baidubce.com',
  formats: (model) => (isEmbedding(model) ? ['openai-embeddings'] : ['baidu-chat']),
  address: { kind: 'derived', url: urlFor },
  auth: { kind: 'baidu' },
  patch: (body, { format }) => {
    if (format !== 'openai-embeddings') return body
    const { model: _model, input, ...rest } = body
    return { ...rest, input: typeof input === 'string' ? [input] : input }
  },
  keyHint: { zh: '格式：APIKey|SecretKey', en: 'Format: APIKey|SecretKey' },
  models,
  listing: 'models',
  streamOptions: false,
  reference: { url: 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/flxwku3ea', checked: '2026-11-24' },
})

const isEmbedding = (model: string) => /^(?:embedding-v1|bge-large-(?:zh|en)|tao-8k)$/i.test(model)

/** Models whose path is not their name in lower case. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-Bot': 'completions',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

function urlFor({ format, model, key }: CallFacts, base: string): string | undefined {
  if (!key.includes('|')) return undefined
  const kind = format === 'openai-embeddings' ? 'embeddings' : 'chat'
  return `${base}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${encodeURIComponent(ownValue(ENDPOINTS, model) ?? model.toLowerCase())}`
}
