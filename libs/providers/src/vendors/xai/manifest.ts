import { ChannelType } from '../channel-types.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://docs.x.ai/docs/api-reference#chat-completions */
export const xai = vendor({
  channelType: ChannelType.XAI,
  name: { zh: 'xAI', en: 'xAI' },
  ownedBy: 'xai',
  baseUrl: 'https://api.x.ai',
  speaks: { chat: 'openai-chat' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
})
