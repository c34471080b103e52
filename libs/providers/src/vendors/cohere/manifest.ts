import { ChannelType } from '../channel-types.ts'
import { cohere as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** The compatibility API for chat; the second API version for embeddings and rerank, whose form is the common one. */
export const cohere = vendor({
  channelType: ChannelType.Cohere,
  name: { zh: 'Cohere', en: 'Cohere' },
  ownedBy: 'cohere',
  baseUrl: 'https://api.cohere.ai',
  formats: ['openai-chat', 'cohere-embeddings', 'rerank'],
  address: openAiPaths({
    'openai-chat': '/compatibility/v1/chat/completions',
    rerank: '/v2/rerank',
  }),
  quirks: { drop: ['n', 'logit_bias', 'top_logprobs', 'store', 'user', 'service_tier', 'parallel_tool_calls', 'modalities'] },
  // https://docs.cohere.com/docs/compatibility-api: `none` or `high`, of models with reasoning.
  traits: {
    models: [
      { models: /reasoning|^command-a-plus/, efforts: ['none', 'high'] },
      { models: /(?:)/, efforts: [] },
    ],
  },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://docs.cohere.com/docs/compatibility-api', checked: '2026-11-23' },
})
