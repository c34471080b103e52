import { sleep } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { settings } from './settings.ts'

/** A console session, passed from setup to the users. k6 exports what setup returns, so it holds no secret that is valid after the run. */
export type Session = { readonly cookie: string; readonly userId: string }
type Envelope = { readonly success: boolean; readonly data: unknown }

const JSON_TYPE = { 'Content-Type': 'application/json', 'Accept-Language': 'en' }
const LIMITED = 429
const MS_PER_S = 1000
const MAX_WAIT_S = 200

export const OK_OR_LIMITED = http.expectedStatuses(200, LIMITED)

/** Retries after 429 when `Retry-After` has passed: an earlier run may have used up the limit per address. */
export function withRateLimitRetry(send: () => RefinedResponse<'text'>): RefinedResponse<'text'> {
  for (let waited = 0; ;) {
    const answer = send()
    if (answer.status !== LIMITED || waited >= MAX_WAIT_S) return answer
    const pause = Math.max(1, Number(answer.headers['Retry-After'] ?? 1))
    waited += pause
    sleep(pause)
  }
}

/** Signs in, unless CONSOLE_ACCESS_TOKEN is set. */
export function signIn(): Session {
  const { username, password, accessToken, userId, url } = settings
  if (accessToken !== '') return { cookie: '', userId }
  const params = {
    headers: JSON_TYPE,
    tags: { kind: 'sign-in', name: '/api/user/login' },
    responseCallback: OK_OR_LIMITED,
  }
  const answer = withRateLimitRetry(() => http.post(`${url}/api/user/login`, JSON.stringify({ username, password }), params))
  const { success, data } = toEnvelope(answer)
  if (!success || !isObject(data)) throw new Error(`sign-in as ${username}: ${answer.status} ${answer.body}`)
  const cookie = Object.entries(answer.cookies)
    .map(([name, [first]]) => `${name}=${first?.value ?? ''}`)
    .join('; ')
  return { cookie, userId: String(data['id']) }
}

export function signOut(session: Session): void {
  if (session.cookie !== '') call(session, 'GET', '/api/user/logout')
}

export function headersOf({ cookie, userId }: Session): Record<string, string> {
  const credentials = cookie === '' ? { Authorization: settings.accessToken } : { Cookie: cookie }
  return { ...JSON_TYPE, ...credentials, 'New-Api-User': userId }
}

/** One call of setup or teardown; waits for the console's limit per address. */
export function call(session: Session, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object): unknown {
  const body = payload === undefined ? null : JSON.stringify(payload)
  const params = {
    headers: headersOf(session),
    tags: { kind: 'operator', name: path.split('?')[0]?.replace(/\d+/g, 'N') ?? path },
    responseCallback: OK_OR_LIMITED,
  }
  const send = () => withRateLimitRetry(() => http.request(method, settings.url + path, body, params))
  const first = send()
  // A failed connection does not show whether the call was executed, so POST is not repeated.
  const isResent = first.status === 0 && method !== 'POST'
  const answer = isResent ? send() : first
  const { success, data } = toEnvelope(answer)
  if (!success && !(isResent && method === 'DELETE')) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return data
}

/** The gateway's clock in seconds, from the `Date` header. */
export function readClock(): number {
  const answer = http.get(`${settings.url}/api/status`, { tags: { kind: 'operator', name: '/api/status' } })
  return Math.floor(Date.parse(answer.headers['Date'] ?? '') / MS_PER_S)
}

export function rowsOf(data: unknown): readonly Readonly<Record<string, unknown>>[] {
  const rows = Array.isArray(data) ? data : isObject(data) ? data['items'] : undefined
  if (!Array.isArray(rows)) throw new Error("the console's response is not a list")
  return rows.filter(isObject)
}

export function numberOf(data: unknown, field: string): number {
  const value = isObject(data) ? data[field] : undefined
  if (typeof value !== 'number') throw new Error(`the console's response lacks ${field}`)
  return value
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function toEnvelope(answer: { readonly body: unknown }): Envelope {
  let parsed: unknown
  try {
    parsed = JSON.parse(String(answer.body))
  } catch {
    // Not JSON, such as a proxy's error page: not successful.
    parsed = undefined
  }
  const envelope = isObject(parsed) ? parsed : {}
  return { success: envelope['success'] === true, data: envelope['data'] }
}
