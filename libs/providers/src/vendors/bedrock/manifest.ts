import type { CallFacts } from '../../operations/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { bedrock as models } from '../preset-models.ts'
import { vendor } from '../vendor.ts'
import { modelIdOf } from './model-id.ts'

const ANTHROPIC_VERSION = 'bedrock-2023-05-31'

/**
 * Claude through InvokeModel: the body is Anthropic's without `model` and `stream`; streams are AWS event frames.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrock = vendor({
  channelType: ChannelType.Bedrock,
  name: { zh: 'AWS Claude', en: 'AWS Claude' },
  ownedBy: 'aws',
  baseUrl: '',
  formats: ['anthropic-messages'],
  address: { kind: 'derived', url: urlFor },
  auth: { kind: 'aws' },
  isAwsFramed: true,
  patch: (body) => {
    const { model: _model, stream: _stream, ...rest } = body
    return { anthropic_version: ANTHROPIC_VERSION, ...rest }
  },
  keyHint: { zh: '格式：Ak|Sk|Region', en: 'Format: Ak|Sk|Region' },
  models,
  listing: 'models',
  streamOptions: false,
})

function urlFor({ key, model, is_stream }: CallFacts, base: string): string | undefined {
  const region = key.split('|').at(-1)?.trim() ?? ''
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)) return undefined
  const host = base === '' ? `https://bedrock-runtime.${region}.amazonaws.com` : base
  return `${host}/model/${encodeURIComponent(modelIdOf(model, region))}/${is_stream ? 'invoke-with-response-stream' : 'invoke'}`
}
