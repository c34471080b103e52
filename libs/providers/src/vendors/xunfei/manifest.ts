import { isLastMessage } from '../../vendor-formats/xunfei-chat/index.ts'
import { listAt, isObject, objectAt, type JsonObject } from '../../json.ts'
import { ChannelType } from '../channel-types.ts'
import { xunfei as models } from '../preset-models.ts'
import { bearer, vendor, type Calling } from '../vendor.ts'

const common = {
  channelType: ChannelType.Xunfei,
  name: { zh: '讯飞星火认知', en: 'iFlytek Spark' },
  ownedBy: 'xunfei',
  baseUrl: '',
  models,
  listing: 'models',
  streamOptions: false,
} as const

/** The WebSocket API, for models that the HTTP API does not have. */
const socket = vendor({
  ...common,
  formats: ['xunfei-chat'],
  address: {
    kind: 'derived',
    url: (call, base) => `${base === '' || base === HTTP_HOST ? SOCKET_HOST : base}/${versionOf(call) ?? FIRST_VERSION}/chat`,
  },
  patch: (body, call) => {
    const [parameter, payload] = [objectAt(body, 'parameter'), objectAt(body, 'payload')]
    const text = listAt(objectAt(payload, 'message'), 'text')
    const isOld = domainOf(call) !== call.model
    return {
      ...body,
      header: { app_id: partsOf(call.key)[0], ...objectAt(body, 'header') },
      parameter: { ...parameter, chat: { ...objectAt(parameter, 'chat'), domain: domainOf(call) } },
      payload: { ...payload, message: { ...objectAt(payload, 'message'), text: isOld ? text.flatMap(withoutSystem) : text } },
    }
  },
  auth: { kind: 'xunfei' },
  webSocket: { isLast: isLastMessage },
  reference: { url: 'https://www.xfyun.cn/doc/spark/Web.html', checked: '2026-11-24' },
})

/** The HTTP API. The token is an APIPassword or `APIKey:APISecret`. */
export const xunfei = vendor({
  ...common,
  formats: ['openai-chat'],
  address: {
    kind: 'derived',
    url: ({ model }, base) => `${base === '' ? HTTP_HOST : base}/${isReasoning(model) ? 'v2' : 'v1'}/chat/completions`,
  },
  patch: (body, call) => (domainOf(call) === call.model ? body : { ...body, model: domainOf(call) }),
  quirks: {
    drop: ['stream_options', 'n', 'logit_bias', 'seed', 'stop', 'logprobs', 'top_logprobs'],
    rename: { max_completion_tokens: 'max_tokens' },
    clamp: { temperature: { min: 0.01, max: 2 } },
  },
  errorCodes: {
    code: ['code'],
    message: ['message'],
    ok: [0],
    statuses: { 10_007: 429, 10_010: 503, 10_012: 502, 10_110: 503, 11_200: 402, 11_201: 429, 11_202: 429, 11_203: 429 },
  },
  keyHint: { zh: '格式：APPID|APISecret|APIKey', en: 'Format: APPID|APISecret|APIKey' },
  otherHint: { zh: 'API 版本，例如 v2.1', en: 'API version, for example v2.1' },
  otherApis: [{ serves: isOnlyOnSocket, vendor: socket }],
  auth: bearer(tokenOf),
  reference: { url: 'https://xfyun.cn/doc/spark/HTTP调用文档.html', checked: '2026-11-23' },
})

const HTTP_HOST = 'https://spark-api-open.xf-yun.com'
const SOCKET_HOST = 'https://spark-api.xf-yun.com'
const FIRST_VERSION = 'v1.1'

/** The names of the versions. Both APIs have them, except `generalv2`, which only the WebSocket API has. */
const DOMAINS: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}
const HTTP_DOMAINS = new Set(['lite', 'generalv3', 'pro-128k', 'generalv3.5', 'max-32k', '4.0Ultra'])
const VERSION = /^v\d+\.\d+$/

/** The version that the model's suffix or the channel's `other` field states. */
function versionOf({ model, other }: Pick<Calling, 'model' | 'other'>): string | undefined {
  return [model.slice(model.lastIndexOf('-') + 1), other.trim()].find((version) => VERSION.test(version))
}

/** `SparkDesk` is the model of a version; other names are domains already. */
function domainOf(call: Pick<Calling, 'model' | 'other'>): string {
  if (!/^SparkDesk(?:-v\d+\.\d+)?$/.test(call.model)) return call.model
  const version = versionOf(call) ?? FIRST_VERSION
  return DOMAINS[version] ?? `general${version}`
}

/** Fine-tuned models need the version of their API in `other`; signing needs all three parts of the key. */
function isOnlyOnSocket(call: Calling): boolean {
  return partsOf(call.key).length === 3 && versionOf(call) !== undefined && !HTTP_DOMAINS.has(domainOf(call)) && !isReasoning(call.model)
}

/** Versions before 3.5 have no instructions: they become a turn that the model has accepted. */
function withoutSystem(message: unknown): JsonObject[] {
  if (!isObject(message)) return []
  if (message['role'] !== 'system') return [message]
  return [
    { role: 'user', content: message['content'] },
    { role: 'assistant', content: 'Okay' },
  ]
}

const isReasoning = (model: string) => /^(?:spark-)?x1/i.test(model)

const partsOf = (key: string): string[] => key.split('|').map((part) => part.trim())

/** `APPID|APISecret|APIKey` is the credential of the WebSocket API; its last two parts are valid here. */
function tokenOf(key: string): string {
  const [, secret, name] = partsOf(key)
  return secret === undefined || name === undefined ? key : `${name}:${secret}`
}
