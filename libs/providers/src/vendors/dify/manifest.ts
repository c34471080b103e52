import { ChannelType } from '../channel-types.ts'
import { bearer, vendor } from '../vendor.ts'

/** Chatflow and agent apps; the key names the app, so the model is only a name. */
export const dify = vendor({
  channelType: ChannelType.Dify,
  name: { zh: 'Dify', en: 'Dify' },
  ownedBy: 'dify',
  baseUrl: 'https://api.dify.ai',
  formats: ['dify-chat'],
  auth: bearer(),
  models: [],
  listing: 'models',
  streamOptions: false,
  reference: { url: 'https://docs.dify.ai/en/api-reference/guides/agent', checked: '2026-11-23' },
})
