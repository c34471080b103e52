import type { ApiFormat, CallFacts } from '../../calls/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { cloudflare as models } from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** Workers AI; the account is the channel’s `other` field. */
export const cloudflare = vendor({
  channelType: ChannelType.Cloudflare,
  name: { zh: 'Cloudflare', en: 'Cloudflare' },
  ownedBy: 'cloudflare',
  baseUrl: 'https://api.cloudflare.com',
  formats: [
    'openai-chat',
    'openai-embeddings',
    'openai-responses',
    'cloudflare-images',
    'cloudflare-transcriptions',
    'cloudflare-translations',
  ],
  address: { kind: 'derived', url: urlFor },
  otherHint: { zh: 'Cloudflare 账户 ID', en: 'Cloudflare account id' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility', checked: '2026-11-23' },
})

const PATHS: Partial<Record<ApiFormat, string>> = {
  'openai-chat': 'v1/chat/completions',
  'openai-embeddings': 'v1/embeddings',
  'openai-responses': 'v1/responses',
}

function urlFor({ format, other, model }: CallFacts, base: string): string | undefined {
  const account = other.trim()
  const path = format.startsWith('cloudflare-') ? `run/${encodeURI(model)}` : PATHS[format]
  if (account === '' || path === undefined) return undefined
  return `${base}/client/v4/accounts/${encodeURIComponent(account)}/ai/${path}`
}
