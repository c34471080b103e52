import { ChannelType } from '../channel-types.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import { OPENAI_COMPATIBLE_FORMATS } from '../../calls/api-format.ts'
import { bearer, vendor, type Vendor } from '../vendor.ts'

/** Resellers of the OpenAI API. Supported for imported channels, not offered for new ones. */
const reseller = (channelType: ChannelType, name: string, baseUrl: string): Vendor =>
  vendor({
    channelType,
    name: { zh: name, en: name },
    ownedBy: 'custom',
    baseUrl,
    formats: OPENAI_COMPATIBLE_FORMATS,
    auth: bearer(),
    models: makerModels.OpenAI,
    listing: 'console',
    streamOptions: false,
    isSelectable: false,
  })

export const openaiMax = reseller(ChannelType.OpenAIMax, 'OpenAI Max', 'https://api.openaimax.com')
export const ohMyGpt = reseller(ChannelType.OhMyGPT, 'OhMyGPT', 'https://api.ohmygpt.com')
export const ails = reseller(ChannelType.AILS, 'AILS', 'https://api.caipacity.com')
export const aiProxy = reseller(ChannelType.AIProxy, 'AI Proxy', 'https://api.aiproxy.io')
export const api2gpt = reseller(ChannelType.API2GPT, 'API2GPT', 'https://api.api2gpt.com')
export const aigc2d = reseller(ChannelType.AIGC2D, 'AIGC2D', 'https://api.aigc2d.com')
