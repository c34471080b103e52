import { ChannelType } from '../channel-types.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import { bearer, vendor } from '../vendor.ts'

/** Unknown fields are refused with 422; usage is in the last chunk. */
export const mistral = vendor({
  channelType: ChannelType.Mistral,
  name: { zh: 'Mistral AI', en: 'Mistral AI' },
  ownedBy: 'mistral',
  baseUrl: 'https://api.mistral.ai',
  formats: ['openai-chat', 'openai-embeddings', 'openai-moderations', 'openai-transcriptions'],
  quirks: {
    drop: ['stream_options', 'logprobs', 'top_logprobs', 'logit_bias', 'user', 'store', 'service_tier', 'verbosity', 'modalities'],
    rename: { seed: 'random_seed', max_completion_tokens: 'max_tokens' },
    values: { tool_choice: { required: 'any' } },
    dropOfMessages: ['reasoning_content', 'reasoning', 'reasoning_details', 'refusal', 'annotations', 'audio'],
    // The vendor's own validators up to V11 (https://pypi.org/project/mistral-common/1.13.1/); later ones take any id.
    callIdLength: 9,
    prefill: { prefix: true },
  },
  // https://docs.mistral.ai/capabilities/reasoning: 422 for every other model and level (read 2026-11-27).
  traits: {
    content_lists: true,
    models: [
      { models: /^mistral-(?:small-(?:latest|26\d\d)|medium-3[.-]5)/, efforts: ['none', 'high'] },
      { models: /(?:)/, efforts: [] },
    ],
  },
  systemMessages: { 'openai-chat': 'first' },
  auth: bearer(),
  models: makerModels.Mistral,
  listing: 'models',
  streamOptions: false,
  reference: { url: 'https://docs.rs/crate/mistral-openapi-client/latest/source/docs/CompletionArgs.md', checked: '2026-11-23' },
})
