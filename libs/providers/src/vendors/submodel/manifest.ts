import { ChannelType } from '../channel-types.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor } from '../vendor.ts'
import { models } from './models.ts'

/** https://submodel.ai */
export const submodel = vendor({
  channelType: ChannelType.Submodel,
  name: { zh: 'Submodel', en: 'Submodel' },
  ownedBy: 'submodel',
  baseUrl: 'https://llm.submodel.ai',
  formats: OPENAI_COMPATIBLE_FORMATS,
  auth: bearer(),
  models,
  listing: 'console',
  streamOptions: true,
  reference: { url: 'https://submodel.ai', checked: '2026-11-20' },
})
