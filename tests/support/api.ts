/** A signed-in session of the console API: sends the cookie and the user id header. */
export type Api = {
  readonly userId: number
  get<T = unknown>(path: string): Promise<Answer<T>>
  post<T = unknown>(path: string, body?: unknown): Promise<Answer<T>>
  put<T = unknown>(path: string, body?: unknown): Promise<Answer<T>>
  remove<T = unknown>(path: string): Promise<Answer<T>>
}

export type Answer<T> = { readonly status: number; readonly success: boolean; readonly message: string; readonly data: T }

export const ROOT_USER = { username: 'root', password: 'a-long-password' } as const

/** Runs the setup and signs in as root. */
export async function setUp(url: string): Promise<Api> {
  const answer = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: ROOT_USER.username,
      password: ROOT_USER.password,
      confirmPassword: ROOT_USER.password,
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    }),
  })
  if (answer.status !== 200) throw new Error(`setup: ${answer.status} ${await answer.text()}`)
  return await signIn(url, ROOT_USER.username, ROOT_USER.password)
}

/** `headers` are sent with every call of the session. */
export async function signIn(
  url: string,
  username: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Api> {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username, password }),
  })
  const body = (await answer.json()) as Answer<{ id: number }>
  if (!body.success) throw new Error(`sign-in: ${body.message}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const userId = body.data.id
  const call = async <T>(method: string, path: string, payload?: unknown): Promise<Answer<T>> => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        cookie,
        'New-Api-User': String(userId),
        ...headers,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
    })
    return { ...((await reply.json()) as Answer<T>), status: reply.status }
  }
  return {
    userId,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body ?? {}),
    put: (path, body) => call('PUT', path, body ?? {}),
    remove: (path) => call('DELETE', path),
  }
}

/** Throws if the console API refused. */
export function must<T>(answer: Answer<T>): T {
  if (!answer.success) throw new Error(`api: ${answer.status} ${answer.message}`)
  return answer.data
}

type TokenRow = { readonly id: number; readonly key: string; readonly name: string }

/** Creates a token and returns its row; the key has no `sk-`. */
export async function createToken(api: Api, fields: Record<string, unknown> = {}): Promise<TokenRow> {
  const name = `t-${Math.random().toString(36).slice(2, 10)}`
  must(
    await api.post('/api/token/', {
      name,
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      ...fields,
    }),
  )
  const rows = must(await api.get<TokenRow[]>('/api/token/?p=0&size=100'))
  const row = rows.find((one) => one.name === (fields['name'] ?? name))
  if (row === undefined) throw new Error('the new token is not in the list')
  return { ...row, key: row.key.replace(/^sk-/, '') }
}

/** Creates an OpenAI-compatible channel to a local vendor. */
export async function createChannel(api: Api, fields: Record<string, unknown>): Promise<void> {
  must(
    await api.post('/api/channel/', {
      type: 1,
      name: 'local vendor',
      key: 'sk-vendor',
      models: 'gpt-4o-mini,gpt-4o',
      group: 'default',
      groups: ['default'],
      model_mapping: '',
      priority: 0,
      weight: 0,
      auto_ban: 1,
      ...fields,
    }),
  )
}
