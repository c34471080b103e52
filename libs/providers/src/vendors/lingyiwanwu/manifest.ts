import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://platform.lingyiwanwu.com/docs */
export const lingyiwanwu = vendor({
  channelType: ChannelType.LingYiWanWu,
  name: { zh: '零一万物', en: '01.AI' },
  ownedBy: 'lingyiwanwu',
  baseUrl: 'https://api.lingyiwanwu.com',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models,
  listing: 'channel',
  streamOptions: false,
  reference: { url: 'https://platform.lingyiwanwu.com/docs', checked: '2026-11-20' },
})
