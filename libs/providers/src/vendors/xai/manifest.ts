import { ChannelType } from '../channel-types.ts'
import { OPENAI_LIKE } from '../../operations/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://docs.x.ai/docs/api-reference#chat-completions */
export const xai = vendor({
  channelType: ChannelType.XAI,
  name: { zh: 'xAI', en: 'xAI' },
  ownedBy: 'xai',
  baseUrl: 'https://api.x.ai',
  speaks: OPENAI_LIKE,
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
})
