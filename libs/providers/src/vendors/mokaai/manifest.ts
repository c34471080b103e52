import { ChannelType } from '../channel-types.ts'
import { mokaAI as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** No reference to the hosted API could be found on 2026-11-24, only the models: https://huggingface.co/moka-ai/m3e-base */
export const mokaai = vendor({
  channelType: ChannelType.MokaAI,
  name: { zh: '嵌入模型：MokaAI M3E', en: 'Embeddings: MokaAI M3E' },
  ownedBy: 'mokaai',
  baseUrl: 'https://api.moka.ai',
  formats: ['openai-embeddings'],
  address: openAiPaths({ 'openai-embeddings': '/embeddings' }),
  otherHint: { zh: 'API 版本', en: 'API version' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: false,
})
