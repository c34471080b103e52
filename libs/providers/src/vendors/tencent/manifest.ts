import type { CallFacts } from '../../calls/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { tencent as models } from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** The host of the signed API, which existing channels have stored. */
const SIGNED_HOST = 'https://hunyuan.tencentcloudapi.com'
const COMPATIBLE_HOST = 'https://api.hunyuan.cloud.tencent.com'

const common = {
  channelType: ChannelType.Tencent,
  name: { zh: '腾讯混元', en: 'Tencent Hunyuan' },
  ownedBy: 'tencent',
  baseUrl: SIGNED_HOST,
  models,
  listing: 'models',
} as const

/** The signed API, for keys of a Tencent Cloud account. */
const signed = vendor({
  ...common,
  formats: ['tencent-chat'],
  address: { kind: 'derived', url: (_call, base) => `${base}/` },
  headers: () => ({ 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' }),
  auth: { kind: 'tencent' },
  streamOptions: false,
  reference: { url: 'https://cloud.tencent.com/document/product/1729/105701', checked: '2026-11-24' },
})

/** The compatible endpoint, which has its own host and takes an API key. */
export const tencent = vendor({
  ...common,
  formats: ['openai-chat', 'openai-embeddings'],
  address: { kind: 'derived', url: urlFor },
  keyHint: {
    zh: '混元控制台的 API Key，或签名密钥 AppId|SecretId|SecretKey（只用于对话）',
    en: 'An API key of the Hunyuan console, or signing keys AppId|SecretId|SecretKey (chat only)',
  },
  auth: bearer(),
  otherApis: [{ serves: ({ key }) => key.includes('|'), vendor: signed }],
  streamOptions: true,
  reference: { url: 'https://cloud.tencent.com/document/product/1729/111007', checked: '2026-11-23' },
})

function urlFor({ format }: CallFacts, base: string): string {
  const path = format === 'openai-embeddings' ? 'embeddings' : 'chat/completions'
  return `${base === SIGNED_HOST ? COMPATIBLE_HOST : base}/v1/${path}`
}
