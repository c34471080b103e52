import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://ai.360.com/platform/docs */
export const ai360 = vendor({
  channelType: ChannelType.AI360,
  name: { zh: '360 智脑', en: '360 Zhinao' },
  ownedBy: 'ai360',
  baseUrl: 'https://api.360.cn',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models,
  listing: 'channel',
  streamOptions: false,
  reference: { url: 'https://ai.360.com/platform/docs', checked: '2026-11-20' },
})
