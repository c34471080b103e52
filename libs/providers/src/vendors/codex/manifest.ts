import { isObject, listAt, type JsonObject } from '../../json.ts'
import { ChannelType } from '../channel-types.ts'
import { codex as models } from '../preset-models.ts'
import { bearer, openAiPaths, vendor } from '../vendor.ts'
import { readCodexKey } from './key.ts'
import { codexRenewal } from './renewal.ts'

/** A ChatGPT subscription: streamed responses that are not kept. */
export const codex = vendor({
  channelType: ChannelType.Codex,
  name: { zh: 'ChatGPT Subscription (Codex)', en: 'ChatGPT Subscription (Codex)' },
  ownedBy: 'codex',
  baseUrl: 'https://chatgpt.com',
  formats: ['openai-responses'],
  address: openAiPaths({ 'openai-responses': '/backend-api/codex/responses' }),
  patch: (body) => ({ instructions: '', ...body, input: inputOf(body), store: false, stream: true }),
  quirksFormat: 'openai-responses',
  quirks: {
    drop: [
      'max_output_tokens',
      'temperature',
      'top_p',
      'top_logprobs',
      'user',
      'safety_identifier',
      'metadata',
      'truncation',
      'background',
      'previous_response_id',
      'prompt_cache_retention',
    ],
  },
  headers: ({ key }) => {
    const account = readCodexKey(key)?.account_id
    return {
      ...(account === undefined ? {} : { 'chatgpt-account-id': account }),
      originator: 'codex_cli_rs',
      'openai-beta': 'responses=experimental',
    }
  },
  auth: bearer((key) => readCodexKey(key)?.access_token ?? key),
  renewal: codexRenewal,
  keyHint: {
    zh: '包含 access_token、refresh_token 与 account_id 的 OAuth JSON，或 Codex 的 auth.json',
    en: 'OAuth JSON with access_token, refresh_token and account_id, or the auth.json of Codex',
  },
  models,
  listing: 'console',
  // https://github.com/openai/codex: its own client declares this tool only.
  traits: { hosted_tools: [{ format: 'openai-responses', tools: ['web-search'] }] },
  streamOptions: false,
  reference: { url: 'https://github.com/openai/codex', checked: '2026-11-23' },
})

/** Input must be a list, and its system messages are refused. */
function inputOf(body: JsonObject): unknown {
  const { input } = body
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
  return listAt(body, 'input').map((item) => (isObject(item) && item['role'] === 'system' ? { ...item, role: 'developer' } : item))
}
