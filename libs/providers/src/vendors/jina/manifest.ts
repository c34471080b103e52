import { ChannelType } from '../channel-types.ts'
import { jina as models } from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** Embeddings in OpenAI’s form, and the rerank form that this gateway’s clients use. */
export const jina = vendor({
  channelType: ChannelType.Jina,
  name: { zh: 'Jina', en: 'Jina' },
  ownedBy: 'jina',
  baseUrl: 'https://api.jina.ai',
  formats: ['openai-embeddings', 'rerank'],
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: false,
  reference: { url: 'https://jina.ai/embeddings/', checked: '2026-11-23' },
})
