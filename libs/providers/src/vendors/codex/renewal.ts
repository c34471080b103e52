import { ownValue } from '@tollgate/contracts/values/own-value'
import { isObject, objectAt, parseJson, parseJsonObject, textAt } from '../../json.ts'
import type { KeyRenewal, Renewed } from '../renewal.ts'
import { claimsOf, readCodexKey } from './key.ts'

const TOKEN_URL = 'https://auth.openai.com/oauth/token'
/** The public client of Codex: https://github.com/openai/codex/blob/main/codex-rs/login/src/auth/manager.rs */
const CLIENT_ID = 'app_EMoamEEZ73f0CkXaXp7hrann'

/** Exchanges the refresh token, which is valid once, for a new pair. */
export const codexRenewal: KeyRenewal = {
  expiresAt: (key) => {
    const tokens = readCodexKey(key)
    if (tokens?.refresh_token === undefined) return undefined
    const { exp } = claimsOf(tokens.access_token)
    return typeof exp === 'number' && exp > 0 ? exp * 1000 : undefined
  },
  request: (key) => {
    const refresh_token = readCodexKey(key)?.refresh_token
    if (refresh_token === undefined) return undefined
    // A proxy of the sign-in server can be named in the key, as in a Google service account.
    const url = textAt(parseJsonObject(key), 'token_uri') ?? TOKEN_URL
    const body = JSON.stringify({ client_id: CLIENT_ID, grant_type: 'refresh_token', refresh_token })
    return { url, headers: { 'content-type': 'application/json' }, body }
  },
  read: (key, status, body) => {
    const answer = typeof body === 'string' ? parseJson(body) : body
    const access_token = textAt(answer, 'access_token')
    if (status === 200 && access_token !== undefined) return { kind: 'renewed', key: withTokens(key, answer) }
    return refusalOf(status, answer)
  },
}

const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const

/** The key in its own form, with the tokens of the answer. */
function withTokens(key: string, answer: unknown): string {
  const given = parseJsonObject(key) ?? {}
  const fresh = Object.fromEntries(TOKENS.flatMap((name) => (textAt(answer, name) === undefined ? [] : [[name, textAt(answer, name)]])))
  const tokens = isObject(given['tokens']) ? { tokens: { ...given['tokens'], ...fresh } } : fresh
  return JSON.stringify({ ...given, ...tokens })
}

const AGAIN = 'Sign in with Codex again and store its new auth.json as the key.'

const REASONS: Readonly<Record<string, string>> = {
  refresh_token_expired: `The sign-in of this subscription has expired. ${AGAIN}`,
  refresh_token_reused: `The refresh token was already used elsewhere. ${AGAIN}`,
  refresh_token_invalidated: `The sign-in of this subscription was revoked. ${AGAIN}`,
}

function refusalOf(status: number, answer: unknown): Renewed {
  const code = textAt(objectAt(answer, 'error'), 'code') ?? textAt(answer, 'error') ?? textAt(answer, 'code') ?? ''
  if (status !== 400 && status !== 401 && ownValue(REASONS, code) === undefined)
    return { kind: 'failed', message: `the sign-in server answered ${status}` }
  return { kind: 'refused', code, message: ownValue(REASONS, code) ?? `OpenAI does not renew the sign-in of this subscription. ${AGAIN}` }
}
