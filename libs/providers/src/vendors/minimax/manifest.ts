import { ChannelType } from '../channel-types.ts'
import { miniMax as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** Errors arrive with status 200 and a code in `base_resp`. */
export const minimax = vendor({
  channelType: ChannelType.MiniMax,
  name: { zh: 'MiniMax', en: 'MiniMax' },
  ownedBy: 'minimax',
  baseUrl: 'https://api.minimax.io',
  formats: ['openai-chat'],
  address: openAiPaths({ 'openai-chat': '/v1/text/chatcompletion_v2' }),
  errorCodes: {
    code: ['base_resp', 'status_code'],
    message: ['base_resp', 'status_msg'],
    ok: [0],
    statuses: { 1000: 502, 1001: 504, 1002: 429, 1004: 401, 1008: 402, 1013: 502, 1026: 400, 1039: 429, 2013: 400, 2049: 401 },
  },
  auth: bearer(),
  models,
  listing: 'channel',
  streamOptions: true,
  reference: { url: 'https://platform.minimaxi.com/docs/api-reference/text-chat-openai.md', checked: '2026-11-23' },
})
