import { isObject, parseJsonObject, textAt, type JsonObject } from '../../json.ts'

/** A channel's key: the tokens themselves, or the file in which Codex keeps them under `tokens`. */
export type CodexKey = {
  readonly access_token: string
  readonly refresh_token?: string
  readonly account_id?: string
}

/** The tokens in a channel's key; undefined if it is not of that form. */
export function readCodexKey(key: string): CodexKey | undefined {
  const tokens = tokensOf(key)
  const access_token = textAt(tokens, 'access_token')
  if (access_token === undefined) return undefined
  const refresh_token = textAt(tokens, 'refresh_token')
  const account_id = textAt(tokens, 'account_id') ?? accountOf(access_token)
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(account_id === undefined ? {} : { account_id }),
  }
}

/** The claims of an access token, which is not verified; empty if it is none. */
export function claimsOf(access_token: string): JsonObject {
  const [, payload = ''] = access_token.split('.')
  return parseJsonObject(Buffer.from(payload, 'base64url').toString()) ?? {}
}

function tokensOf(key: string): JsonObject | undefined {
  const given = parseJsonObject(key)
  return isObject(given?.['tokens']) ? given['tokens'] : given
}

const accountOf = (access_token: string) => textAt(claimsOf(access_token)['https://api.openai.com/auth'], 'chatgpt_account_id')
