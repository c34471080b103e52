import { parseJsonObject, textAt } from '../../json.ts'
import { ChannelType } from '../channel-types.ts'
import { codex as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'

/** A ChatGPT subscription: streamed responses that are not kept. The access token is used as it is and not refreshed. */
export const codex = vendor({
  channelType: ChannelType.Codex,
  name: { zh: 'ChatGPT Subscription (Codex)', en: 'ChatGPT Subscription (Codex)' },
  ownedBy: 'codex',
  baseUrl: 'https://chatgpt.com',
  formats: ['openai-responses'],
  address: openAiPaths({ 'openai-responses': '/backend-api/codex/responses' }),
  patch: ({ max_output_tokens: _limit, ...body }) => ({ instructions: '', ...body, store: false, stream: true }),
  headers: ({ key }) => {
    const account = textAt(parseJsonObject(key), 'account_id')
    return {
      ...(account === undefined ? {} : { 'chatgpt-account-id': account }),
      originator: 'codex_cli_rs',
      'openai-beta': 'responses=experimental',
    }
  },
  auth: bearer((key) => textAt(parseJsonObject(key), 'access_token') ?? key),
  keyHint: { zh: '包含 access_token 与 account_id 的 OAuth JSON', en: 'OAuth JSON with access_token and account_id' },
  models,
  listing: 'console',
  streamOptions: false,
})
