import { ChannelType } from '../channel-types.ts'
import { coze as models } from '../preset-models.ts'
import { bearer, vendor } from '../vendor.ts'

/** Chats with the bot in the channel’s `other` field; without one there is no address. */
export const coze = vendor({
  channelType: ChannelType.Coze,
  name: { zh: 'Coze', en: 'Coze' },
  ownedBy: 'coze',
  baseUrl: 'https://api.coze.cn',
  formats: ['coze-chat'],
  address: { kind: 'derived', url: ({ other }, base) => (other.trim() === '' ? undefined : `${base}/v3/chat`) },
  patch: (body, { other }) => ({ bot_id: other.trim(), ...body }),
  auth: bearer(),
  otherHint: { zh: '智能体 ID', en: 'Bot id' },
  models,
  listing: 'console',
  streamOptions: false,
  reference: { url: 'https://app.unpkg.com/@coze/api@1.3.5/files/dist/types/resources/chat/chat.d.ts', checked: '2026-11-23' },
})
