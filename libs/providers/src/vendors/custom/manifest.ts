import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'

/** Any OpenAI-compatible service: the channel's base URL is the complete address; `{model}` is replaced by the upstream model. */
export const custom = vendor({
  channelType: ChannelType.Custom,
  name: { zh: '自定义渠道', en: 'Custom channel' },
  ownedBy: 'custom',
  baseUrl: '',
  formats: OPENAI_COMPATIBLE_FORMATS,
  address: { kind: 'base-url' },
  auth: bearer(),
  models: makerModels.OpenAI,
  listing: 'console',
  streamOptions: true,
  reference: { url: 'https://platform.openai.com/docs/api-reference/chat', checked: '2026-11-20' },
})
