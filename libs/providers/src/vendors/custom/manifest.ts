import { ChannelType } from '../channel-types.ts'
import { OPENAI_LIKE } from '../../operations/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from '../openai/models.ts'

/** Any service that speaks the format: the channel's base URL is the whole address, `{model}` stands for the upstream model. */
export const custom = vendor({
  channelType: ChannelType.Custom,
  name: { zh: '自定义渠道', en: 'Custom channel' },
  ownedBy: 'custom',
  baseUrl: '',
  speaks: OPENAI_LIKE,
  address: { kind: 'whole' },
  auth: bearer(),
  models,
  listing: 'console',
  streamOptions: true,
})
