import { ChannelType } from '../channel-types.ts'
import { xunfei as models } from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** The HTTP API. The token is an APIPassword or `APIKey:APISecret`. */
export const xunfei = vendor({
  channelType: ChannelType.Xunfei,
  name: { zh: '讯飞星火认知', en: 'iFlytek Spark' },
  ownedBy: 'xunfei',
  baseUrl: '',
  formats: ['openai-chat'],
  address: {
    kind: 'derived',
    url: ({ model }, base) => `${base === '' ? HOST : base}/${isReasoning(model) ? 'v2' : 'v1'}/chat/completions`,
  },
  patch: (body, { model }) => (domainOf(model) === model ? body : { ...body, model: domainOf(model) }),
  quirks: {
    drop: ['stream_options', 'n', 'logit_bias', 'seed', 'stop', 'logprobs', 'top_logprobs'],
    rename: { max_completion_tokens: 'max_tokens' },
    clamp: { temperature: { min: 0.01, max: 2 } },
  },
  errorCodes: {
    code: ['code'],
    message: ['message'],
    ok: [0],
    statuses: { 10_007: 429, 10_010: 503, 10_012: 502, 10_110: 503, 11_200: 403, 11_201: 429, 11_202: 429, 11_203: 429 },
  },
  keyHint: { zh: '格式：APPID|APISecret|APIKey', en: 'Format: APPID|APISecret|APIKey' },
  otherHint: { zh: 'API 版本，例如 v2.1', en: 'API version, for example v2.1' },
  auth: bearer(tokenOf),
  models,
  listing: 'models',
  streamOptions: false,
  reference: { url: 'https://xfyun.cn/doc/spark/HTTP调用文档.html', checked: '2026-11-23' },
})

const HOST = 'https://spark-api-open.xf-yun.com'

/** The HTTP API's names of the versions. */
const DOMAINS: Readonly<Record<string, string>> = {
  SparkDesk: 'lite',
  'SparkDesk-v1.1': 'lite',
  'SparkDesk-v2.1': 'generalv2',
  'SparkDesk-v3.1': 'generalv3',
  'SparkDesk-v3.5': 'generalv3.5',
  'SparkDesk-v4.0': '4.0Ultra',
}

function domainOf(model: string): string {
  return DOMAINS[model] ?? model
}

const isReasoning = (model: string) => /^(?:spark-)?x1/i.test(model)

/** `APPID|APISecret|APIKey` is the credential of the WebSocket API; its last two parts are valid here. */
function tokenOf(key: string): string {
  const [, secret, name] = key.split('|').map((part) => part.trim())
  return secret === undefined || name === undefined ? key : `${name}:${secret}`
}
