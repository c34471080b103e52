import type { ApiFormat, CallFacts } from '../../operations/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { bedrock as models } from '../preset-models.ts'
import { vendor } from '../vendor.ts'
import { isOtherMaker, modelIdOf } from './model-id.ts'

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

/**
 * Claude through InvokeModel, other models through Converse. The body of InvokeModel is Anthropic's without `model` and `stream`; streams are AWS event frames.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrock = vendor({
  channelType: ChannelType.Bedrock,
  name: { zh: 'AWS Claude', en: 'AWS Claude' },
  ownedBy: 'aws',
  baseUrl: '',
  formats: formatsOf,
  address: { kind: 'derived', url: urlFor },
  auth: { kind: 'aws' },
  isAwsFramed: true,
  // The path is signed: Claude Code's `?beta=true` would make another one.
  dropsQuery: true,
  betas: { names: BETAS, inBody: true },
  patch: (body, { format }) => {
    if (format !== 'anthropic-messages') return body
    const { model: _model, stream: _stream, ...rest } = body
    return { anthropic_version: ANTHROPIC_VERSION, ...rest }
  },
  keyHint: { zh: '格式：Ak|Sk|Region', en: 'Format: Ak|Sk|Region' },
  models,
  listing: 'models',
  streamOptions: false,
  reference: {
    url: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html',
    checked: '2026-11-20',
  },
})

/** Claude through InvokeModel, which has all of Anthropic's features; other models through Converse. Without a model: both. */
function formatsOf(model: string): readonly ApiFormat[] {
  if (model === '') return ['anthropic-messages', 'bedrock-converse']
  return isOtherMaker(model) ? ['bedrock-converse'] : ['anthropic-messages']
}

function urlFor({ key, model, is_stream, format }: CallFacts, base: string): string | undefined {
  const region = key.split('|').at(-1)?.trim() ?? ''
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)) return undefined
  const host = base === '' ? `https://bedrock-runtime.${region}.amazonaws.com` : base
  const [whole, streamed] = format === 'bedrock-converse' ? ['converse', 'converse-stream'] : ['invoke', 'invoke-with-response-stream']
  return `${host}/model/${encodeURIComponent(modelIdOf(model, region))}/${is_stream ? streamed : whole}`
}
