/** For the trial of a deployment: set it up, stream through it, and count how streams end. */
import { setTimeout as wait } from 'node:timers/promises'

const PASSWORD = 'trial-password'
const MODEL = 'gpt-4o-mini'
const FIRST_ANSWER_TIMEOUT_MS = 30_000

/** Headers of a signed-in root user. */
type Session = Readonly<Record<string, string>>
/** `outcome` in a word: answered, cut (a stream that did not finish), a status, or an error code. */
export type Stream = { readonly startedAt: number; readonly outcome: string }
type Target = { readonly url: string; readonly vendor: string; readonly code?: string }

/** Name and password of root, for the k6 suite. */
export const ROOT = { CONSOLE_USERNAME: 'root', CONSOLE_PASSWORD: PASSWORD }

/** Sets the system up unless it is, adds a channel to the vendor, and returns the key of a new token. */
export async function setUp({ url, vendor, code }: Target): Promise<string> {
  const isSetUp = (await call<{ status: boolean }>(url, 'GET', '/api/setup'))?.status === true
  const choice = { SelfUseModeEnabled: false, DemoSiteEnabled: false, ...(code !== undefined && { code }) }
  if (!isSetUp) await call(url, 'POST', '/api/setup', { username: 'root', password: PASSWORD, confirmPassword: PASSWORD, ...choice })
  const session = await signIn(url)
  await addChannel({ url, vendor, name: 'trial', session })
  const name = `trial-${Date.now()}`
  await call(url, 'POST', '/api/token/', { name, unlimited_quota: true, remain_quota: 0, expired_time: -1 }, session)
  const tokens = await call<readonly { name: string; key: string }[]>(url, 'GET', '/api/token/?p=0&size=100', undefined, session)
  const made = tokens?.find((token) => token.name === name)
  if (made === undefined) throw new Error('the new token is not in the list')
  return `sk-${made.key}`
}

async function addChannel(channel: Omit<Target, 'code'> & { readonly name: string; readonly session: Session }): Promise<void> {
  const { url, vendor, name, session } = channel
  const body = { name, type: 1, key: 'sk-trial', base_url: vendor, models: MODEL, group: 'default', groups: ['default'] }
  await call(url, 'POST', '/api/channel/', body, session)
}

async function signIn(url: string): Promise<Session> {
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: PASSWORD }),
  })
  // The envelope of every console call.
  const { data, message } = (await response.json()) as { data?: { id: number }; message: string }
  if (data === undefined) throw new Error(`sign-in: ${message}`)
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { cookie: cookie.join('; '), 'New-Api-User': String(data.id) }
}

async function call<T>(url: string, method: string, path: string, body?: object, session: Session = {}): Promise<T | undefined> {
  const headers = { 'content-type': 'application/json', ...session }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  // The envelope of every console call; the caller names what it asked for.
  const answer = (await response.json()) as { success: boolean; message: string; data?: T }
  if (!answer.success) throw new Error(`${method} ${path.split('?')[0]}: ${answer.message}`)
  return answer.data
}

/** The first stream after set-up; relays learn of a new channel within a second. */
export async function untilAnswered(url: () => string, key: string): Promise<void> {
  const deadline = Date.now() + FIRST_ANSWER_TIMEOUT_MS
  for (;;) {
    const { outcome } = await stream(url(), key)
    if (outcome === 'answered') return
    if (Date.now() > deadline) throw new Error(`no stream was answered; the last one: ${outcome}`)
    await wait(250)
  }
}

async function stream(url: string, key: string): Promise<Stream> {
  const startedAt = Date.now()
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'Say something.' }] }),
    })
    const text = await response.text()
    if (response.status !== 200) return { startedAt, outcome: `status ${response.status}` }
    return { startedAt, outcome: text.includes('[DONE]') ? 'answered' : 'cut' }
  } catch (error) {
    // Node's fetch puts the error of the socket into `cause`; a stream that ends early has none of the codes of a refused connection.
    const { cause } = error as { cause?: { code?: string } }
    return { startedAt, outcome: cause?.code ?? 'failed' }
  }
}

type Load = { readonly clients: number; readonly key: string; readonly url: () => string }

/** Runs clients, one stream after the other each, until the work is done, and returns every stream. */
export async function underLoad({ clients, key, url }: Load, work: () => Promise<unknown>): Promise<readonly Stream[]> {
  const streams: Stream[] = []
  let isOver = false
  const runClient = async (): Promise<void> => {
    while (!isOver) streams.push(await stream(url(), key))
  }
  const running = Array.from({ length: clients }, () => runClient())
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(running)
  }
  return streams
}

/** Streams by outcome, as JSON. */
export function countsOf(streams: readonly Stream[]): string {
  const counts: Record<string, number> = {}
  for (const { outcome } of streams) counts[outcome] = (counts[outcome] ?? 0) + 1
  return JSON.stringify(counts)
}

export const isAnswered = ({ outcome }: Stream): boolean => outcome === 'answered'
