import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'

/** https://docs.x.ai/docs/api-reference#chat-completions */
export const xai = vendor({
  channelType: ChannelType.XAI,
  name: { zh: 'xAI', en: 'xAI' },
  ownedBy: 'xai',
  baseUrl: 'https://api.x.ai',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models: makerModels.xAI,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://docs.x.ai/docs/api-reference#chat-completions', checked: '2026-11-20' },
})
