import type { ApiFormat, CallFacts } from '../../calls/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { bedrock as models } from '../preset-models.ts'
import { vendor, type Calling } from '../vendor.ts'
import { baseModelIdOf, isOtherMaker, modelIdOf } from './model-id.ts'

/** As in Anthropic's own client for Bedrock (@anthropic-ai/bedrock-sdk 1.1.3). */
const ANTHROPIC_VERSION = '2026-10-21'

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html (read 2026-11-27) */
const BETAS = [
  'computer-use-',
  'token-efficient-tools-',
  'interleaved-thinking-',
  'output-128k-',
  'dev-full-thinking-',
  'context-1m-',
  'context-management-',
  'effort-',
  'tool-search-tool-',
  'tool-examples-',
  'fine-grained-tool-streaming-',
]

const common = {
  channelType: ChannelType.Bedrock,
  name: { zh: 'AWS Claude', en: 'AWS Claude' },
  ownedBy: 'aws',
  baseUrl: '',
  models,
  listing: 'models',
  streamOptions: false,
  // The path is signed: Claude Code's `?beta=true` would make another one.
  dropsQuery: true,
} as const

const MANTLE_HOST = 'https://bedrock-mantle.'
const isMantle = ({ other, base_url = '' }: Calling): boolean => other.trim() === 'mantle' || base_url.startsWith(MANTLE_HOST)

/** The endpoint that speaks Anthropic's API itself, as in @anthropic-ai/bedrock-sdk 1.1.3 (`AnthropicBedrockMantle`). */
const mantle = vendor({
  ...common,
  formats: ['anthropic-messages', 'anthropic-token-count'],
  address: { kind: 'derived', url: mantleUrl },
  auth: { kind: 'aws-mantle' },
  headers: () => ({ 'anthropic-version': ANTHROPIC_VERSION }),
  betas: { names: BETAS, inBody: false },
  patch: (body, { model }) => ({ ...body, model: model.includes('anthropic.') ? model : `anthropic.${model}` }),
})

/**
 * Claude through InvokeModel, other models through Converse. The body of InvokeModel is Anthropic's without `model` and `stream`; streams are AWS event frames.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrock = vendor({
  ...common,
  formats: formatsOf,
  address: { kind: 'derived', url: urlFor },
  auth: { kind: 'aws' },
  isAwsFramed: true,
  otherApis: [{ serves: isMantle, vendor: mantle }],
  betas: { names: BETAS, inBody: true },
  patch: (body, { format }) => {
    if (format === 'bedrock-converse') return body
    const { model: _model, stream: _stream, ...rest } = body
    return { anthropic_version: ANTHROPIC_VERSION, ...rest }
  },
  keyHint: { zh: '格式：Ak|Sk|Region', en: 'Format: Ak|Sk|Region' },
  otherHint: {
    zh: '留空；填 mantle 时使用 Anthropic 格式的 Mantle 接口',
    en: 'Empty, or mantle for the endpoint that speaks Anthropic’s API',
  },
  reference: {
    url: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html',
    checked: '2026-11-20',
  },
})

/** Claude through InvokeModel, which has all of Anthropic's features; other models through Converse. Without a model: both. */
function formatsOf(model: string): readonly ApiFormat[] {
  if (model === '') return ['anthropic-messages', 'bedrock-converse', 'bedrock-token-count']
  return isOtherMaker(model) ? ['bedrock-converse'] : ['anthropic-messages', 'bedrock-token-count']
}

function mantleUrl({ key, format }: CallFacts, base: string): string | undefined {
  const region = regionOf(key)
  if (region === undefined) return undefined
  const host = base === '' ? `${MANTLE_HOST}${region}.api.aws/anthropic` : base
  return `${host}/v1/messages${format === 'anthropic-token-count' ? '/count_tokens' : ''}`
}

function regionOf(key: string): string | undefined {
  const region = key.split('|').at(-1)?.trim() ?? ''
  return /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region) ? region : undefined
}

function urlFor({ key, model, is_stream, format }: CallFacts, base: string): string | undefined {
  const region = regionOf(key)
  if (region === undefined) return undefined
  const host = base === '' ? `https://bedrock-runtime.${region}.amazonaws.com` : base
  // An inference profile cannot be counted for, only its model.
  if (format === 'bedrock-token-count') return `${host}/model/${encodeURIComponent(baseModelIdOf(model))}/count-tokens`
  const [whole, streamed] = format === 'bedrock-converse' ? ['converse', 'converse-stream'] : ['invoke', 'invoke-with-response-stream']
  return `${host}/model/${encodeURIComponent(modelIdOf(model, region))}/${is_stream ? streamed : whole}`
}
