import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://inference.readthedocs.io/en/latest/user_guide/client_api.html */
export const xinference = vendor({
  channelType: ChannelType.Xinference,
  name: { zh: 'Xinference', en: 'Xinference' },
  ownedBy: 'xinference',
  baseUrl: '',
  formats: OPENAI_COMPATIBLE_FORMATS,
  systemMessages: { 'openai-chat': 'first' },
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://inference.readthedocs.io/en/latest/user_guide/client_api.html', checked: '2026-11-20' },
})
