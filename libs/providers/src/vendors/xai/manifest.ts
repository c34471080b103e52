import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://docs.x.ai/docs/api-reference#chat-completions */
export const xai = vendor({
  channelType: ChannelType.XAI,
  name: { zh: 'xAI', en: 'xAI' },
  ownedBy: 'xai',
  baseUrl: 'https://api.x.ai',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://docs.x.ai/docs/api-reference#chat-completions', checked: '2026-11-20' },
})
