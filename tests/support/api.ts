import { createAdminClient, type AdminClient } from '@tollgate/admin-client/client'
import { dataOf } from '@tollgate/admin-client/result'
import type { components } from '@tollgate/admin-client/schema.gen'

/** A signed-in session of the console API: sends the cookie and the user id header. */
export type Api = {
  readonly userId: number
  /** Typed calls of the same session. */
  readonly client: AdminClient
  get<T = unknown>(path: string): Promise<Answer<T>>
  post<T = unknown>(path: string, body?: unknown): Promise<Answer<T>>
  put<T = unknown>(path: string, body?: unknown): Promise<Answer<T>>
  remove<T = unknown>(path: string): Promise<Answer<T>>
}

export type Answer<T> = { readonly status: number; readonly success: boolean; readonly message: string; readonly data: T }

export const ROOT_USER = { username: 'root', password: 'a-long-password' } as const

/** Runs the setup and signs in as root. */
export async function setUp(url: string): Promise<Api> {
  const body = { ...ROOT_USER, confirmPassword: ROOT_USER.password, SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await dataOf(createAdminClient({ address: url }).POST('/api/setup', { body }))
  return await signIn(url, ROOT_USER.username, ROOT_USER.password)
}

/** `headers` are sent with every call of the session. */
export async function signIn(
  url: string,
  username: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Api> {
  const call = createAdminClient({ address: url, headers }).POST('/api/user/login', { body: { username, password } })
  const { id: userId } = await dataOf(call)
  const { response } = await call
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const send = async <T>(method: string, path: string, payload?: unknown): Promise<Answer<T>> => {
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
    client: createAdminClient({ address: url, userId, headers: { cookie, ...headers } }),
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body ?? {}),
    put: (path, body) => send('PUT', path, body ?? {}),
    remove: (path) => send('DELETE', path),
  }
}

/** Throws if the console API refused. */
export function must<T>(answer: Answer<T>): T {
  if (!answer.success) throw new Error(`api: ${answer.status} ${answer.message}`)
  return answer.data
}

type Schemas = components['schemas']

/** Creates a token and returns its row; the key has no `sk-`. */
export async function createToken({ client }: Api, fields: Partial<Schemas['NewToken']> = {}): Promise<Schemas['Token']> {
  const name = fields.name ?? `t-${Math.random().toString(36).slice(2, 10)}`
  await dataOf(client.POST('/api/token', { body: { remain_quota: 500_000, ...fields, name } }))
  const rows = await dataOf(client.GET('/api/token', { params: { query: { p: 0, size: 100 } } }))
  const row = rows.find((one) => one.name === name)
  if (row === undefined) throw new Error('the new token is not in the list')
  return { ...row, key: row.key.replace(/^sk-/, '') }
}

/** Creates an OpenAI-compatible channel to a local vendor. */
export async function createChannel({ client }: Api, fields: Partial<Schemas['NewChannel']>): Promise<void> {
  const body = { type: 1, name: 'local vendor', key: 'sk-vendor', models: 'gpt-4o-mini,gpt-4o', group: 'default', auto_ban: 1, ...fields }
  await dataOf(client.POST('/api/channel', { body }))
}
