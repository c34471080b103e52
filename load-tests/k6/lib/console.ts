import { sleep } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { settings } from './settings.ts'

/** Who calls the console: setup hands it to the users. k6 exports what setup hands over, so no secret that outlives the course is in it. */
export type Session = { readonly cookie: string; readonly userId: string }
type Envelope = { readonly success: boolean; readonly data: unknown }

const JSON_TYPE = { 'Content-Type': 'application/json', 'Accept-Language': 'en' }
const LIMITED = 429
const MS_PER_S = 1000
const LONGEST_WAIT_S = 200

const OK_OR_LIMITED = http.expectedStatuses(200, LIMITED)

/** Sends once more whenever the console's limit per address is over, as long as it says. The course before this one may have reached it. */
function withRateLimitRetry(send: () => RefinedResponse<'text'>): RefinedResponse<'text'> {
  for (let waited = 0; ;) {
    const answer = send()
    if (answer.status !== LIMITED || waited >= LONGEST_WAIT_S) return answer
    const pause = Math.max(1, Number(answer.headers['Retry-After'] ?? 1))
    waited += pause
    sleep(pause)
  }
}

/** A session of the account; with CONSOLE_ACCESS_TOKEN none is made. */
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
  const who = cookie === '' ? { Authorization: settings.accessToken } : { Cookie: cookie }
  return { ...JSON_TYPE, ...who, 'New-Api-User': userId }
}

/** One call on behalf of the operator, before or after a course; waits as long as the console's limit per address says. */
export function call(session: Session, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object): unknown {
  const body = payload === undefined ? null : JSON.stringify(payload)
  const params = {
    headers: headersOf(session),
    tags: { kind: 'operator', name: path.split('?')[0]?.replace(/\d+/g, 'N') ?? path },
    responseCallback: OK_OR_LIMITED,
  }
  const send = () => withRateLimitRetry(() => http.request(method, settings.url + path, body, params))
  const first = send()
  // The connection broke: nobody knows whether it was carried out.
  const isResent = first.status === 0 && method !== 'POST'
  const answer = isResent ? send() : first
  const { success, data } = toEnvelope(answer)
  if (!success && !(isResent && method === 'DELETE')) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return data
}

/** The gateway's clock, by the head of its answer. */
export function readClock(): number {
  const answer = http.get(`${settings.url}/api/status`, { tags: { kind: 'operator', name: '/api/status' } })
  return Math.floor(Date.parse(answer.headers['Date'] ?? '') / MS_PER_S)
}

export function rowsOf(data: unknown): readonly Readonly<Record<string, unknown>>[] {
  const rows = Array.isArray(data) ? data : isObject(data) ? data['items'] : undefined
  if (!Array.isArray(rows)) throw new Error('the console answered with no list')
  return rows.filter(isObject)
}

export function numberOf(data: unknown, field: string): number {
  const value = isObject(data) ? data[field] : undefined
  if (typeof value !== 'number') throw new Error(`the console answered without ${field}`)
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
    // A proxy's page, or nothing at all: no success.
    parsed = undefined
  }
  const envelope = isObject(parsed) ? parsed : {}
  return { success: envelope['success'] === true, data: envelope['data'] }
}
