import type { CallFacts } from '../../operations/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { tencent as models } from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** The compatible endpoint, which has its own host and takes an API key. */
export const tencent = vendor({
  channelType: ChannelType.Tencent,
  name: { zh: '腾讯混元', en: 'Tencent Hunyuan' },
  ownedBy: 'tencent',
  baseUrl: 'https://hunyuan.tencentcloudapi.com',
  formats: ['openai-chat', 'openai-embeddings'],
  address: { kind: 'derived', url: urlFor },
  keyHint: {
    zh: '混元控制台的 API Key；格式 AppId|SecretId|SecretKey 的签名密钥尚不支持',
    en: 'An API key of the Hunyuan console; signing keys AppId|SecretId|SecretKey are not supported yet',
  },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://cloud.tencent.com/document/product/1729/111007', checked: '2026-11-23' },
})

/** The host of the signed API, which existing channels have stored. */
const SIGNED_HOST = 'https://hunyuan.tencentcloudapi.com'
const COMPATIBLE_HOST = 'https://api.hunyuan.cloud.tencent.com'

function urlFor({ format, key }: CallFacts, base: string): string | undefined {
  if (key.includes('|')) return undefined
  const path = format === 'openai-embeddings' ? 'embeddings' : 'chat/completions'
  return `${base === SIGNED_HOST ? COMPATIBLE_HOST : base}/v1/${path}`
}
