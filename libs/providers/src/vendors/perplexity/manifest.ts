import { ChannelType } from '../channel-types.ts'
import { perplexity as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** Usage is in every chunk. */
export const perplexity = vendor({
  channelType: ChannelType.Perplexity,
  name: { zh: 'Perplexity', en: 'Perplexity' },
  ownedBy: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  formats: ['openai-chat'],
  address: openAiPaths({ 'openai-chat': '/chat/completions' }),
  quirks: { drop: ['stream_options'], clamp: { top_p: { max: 0.99 } } },
  isSelectable: false,
  // https://docs.perplexity.ai/api-reference/chat-completions-post (read 2026-11-27)
  traits: {
    hosted_tools: [{ format: 'openai-chat', tools: ['web-search'] }],
    models: [
      // The levels that @perplexity-ai/perplexity_ai 0.38.5 declares; others may refuse them.
      { models: /deep-research/, efforts: ['minimal', 'low', 'medium', 'high'] },
      { models: /(?:)/, efforts: [] },
    ],
  },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: false,
  reference: { url: 'https://docs.perplexity.ai/docs/sonar/openai-compatibility', checked: '2026-11-23' },
})
