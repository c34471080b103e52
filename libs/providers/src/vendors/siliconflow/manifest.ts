import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions */
export const siliconflow = vendor({
  channelType: ChannelType.SiliconFlow,
  name: { zh: 'SiliconCloud', en: 'SiliconCloud' },
  ownedBy: 'siliconflow',
  baseUrl: 'https://api.siliconflow.cn',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models,
  listing: 'models',
  streamOptions: true,
  reference: { url: 'https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions', checked: '2026-11-20' },
})
