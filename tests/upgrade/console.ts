const PASSWORD = 'upgrade-password'

/** Headers of a signed-in user. */
export type Session = Readonly<Record<string, string>>

/** Calls the console's API and returns the data of its envelope; throws when it does not succeed. */
export async function callConsole<T>(
  url: string,
  call: string,
  { session = {}, body }: { readonly session?: Session; readonly body?: object } = {},
): Promise<T> {
  const [method, path] = call.split(' ')
  const headers = { 'content-type': 'application/json', ...session }
  const response = await fetch(`${url}${path}`, { method: method ?? 'GET', headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  // The envelope of every console call; the caller names what it asked for.
  const answer = (text.startsWith('{') ? JSON.parse(text) : { message: text }) as { success?: boolean; message?: string; data: T }
  if (!response.ok || answer.success !== true) throw new Error(`${call} answered ${response.status}: ${answer.message}`)
  return answer.data
}

export async function setUpConsole(url: string): Promise<void> {
  const body = { username: 'root', password: PASSWORD, confirmPassword: PASSWORD, SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await callConsole(url, 'POST /api/setup', { body })
}

export async function signIn(url: string): Promise<Session> {
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: PASSWORD }),
  })
  const { data, message } = (await response.json()) as { data?: { id: number }; message: string } // the login answer
  if (data === undefined) throw new Error(`sign-in: ${message}`)
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { cookie: cookie.join('; '), 'New-Api-User': String(data.id) }
}

export async function addChannel(
  url: string,
  session: Session,
  channel: { readonly name: string; readonly vendor: string },
): Promise<void> {
  const models = MODELS.join(',')
  const body = { name: channel.name, type: 1, key: 'sk-upgrade', base_url: channel.vendor, models, group: 'default', groups: ['default'] }
  await callConsole(url, 'POST /api/channel/', { session, body })
}

export const MODELS = ['gpt-4o-mini', 'gpt-4o', 'gpt-3.5-turbo'] as const

type Keys = {
  /** The first is of an unlimited token, the second of a limited one. */
  readonly keys: readonly string[]
  /** Their tokens have sent no request, so the ledger has not loaded them. */
  readonly cold: readonly string[]
}

export async function createKeys(url: string, session: Session, coldTokens: number): Promise<Keys> {
  for (let n = 0; n < 2 + coldTokens; n += 1) {
    const body = { name: `token-${n}`, unlimited_quota: n === 0, remain_quota: 100_000_000, expired_time: -1 }
    await callConsole(url, 'POST /api/token/', { session, body })
  }
  const tokens: { name: string; key: string }[] = []
  for (let page = 0; tokens.length < 2 + coldTokens; page += 1)
    tokens.push(...(await callConsole<typeof tokens>(url, `GET /api/token/?p=${page}&size=100`, { session })))
  const keyOf = (name: string): string => `sk-${tokens.find((token) => token.name === name)?.key ?? ''}`
  const names = Array.from({ length: 2 + coldTokens }, (_, n) => keyOf(`token-${n}`))
  return { keys: names.slice(0, 2), cold: names.slice(2) }
}
