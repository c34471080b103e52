import { ChannelType } from './channel-types.ts'
import { paLM } from './preset-models.ts'
import { retiredVendor } from './vendor.ts'

/** Channel types whose APIs no longer exist. */
export const retiredVendors = {
  // https://ai.google.dev/palm_docs/deprecation
  [ChannelType.PaLM]: retiredVendor({
    channelType: ChannelType.PaLM,
    name: { zh: 'Google PaLM2', en: 'Google PaLM2' },
    ownedBy: 'google palm',
    baseUrl: '',
    models: paLM,
    listing: 'models',
    retired: {
      zh: 'Google 已停用 PaLM API，请改用 Google Gemini 渠道。',
      en: 'Google has shut down the PaLM API. Use a Google Gemini channel instead.',
    },
  }),
  [ChannelType.AIProxyLibrary]: retiredVendor({
    channelType: ChannelType.AIProxyLibrary,
    name: { zh: '知识库：AI Proxy', en: 'Knowledge base: AI Proxy' },
    ownedBy: 'custom',
    baseUrl: 'https://api.aiproxy.io',
    otherHint: { zh: '知识库 ID', en: 'Knowledge base id' },
    models: [],
    listing: 'console',
    retired: {
      zh: 'AI Proxy 的知识库接口已不再提供。',
      en: 'AI Proxy no longer offers its knowledge base API.',
    },
  }),
}
