import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'

/** https://platform.moonshot.cn/docs/api/chat */
export const moonshot = vendor({
  channelType: ChannelType.Moonshot,
  name: { zh: 'Moonshot', en: 'Moonshot' },
  ownedBy: 'moonshot',
  baseUrl: 'https://api.moonshot.cn',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models: makerModels['Moonshot AI'],
  listing: 'channel',
  streamOptions: true,
  reference: { url: 'https://platform.moonshot.cn/docs/api/chat', checked: '2026-11-20' },
})
