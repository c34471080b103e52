import { z } from 'zod'

const Answer = z.object({ success: z.boolean(), message: z.string().default(''), data: z.unknown().optional() })
const SignedIn = z.object({ id: z.number() })

export type ConsoleApi = {
  get(path: string): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
  put(path: string, body: unknown): Promise<unknown>
}

/** Signs in through the console's API; each call returns its `data` or throws the server's message. */
export async function signIn(origin: string, username: string, password: string): Promise<ConsoleApi> {
  const { data, cookie } = await call({ origin, method: 'POST', path: '/api/user/login', body: { username, password } })
  const headers = { cookie, 'New-Api-User': String(SignedIn.parse(data).id) }
  return {
    get: async (path) => (await call({ origin, method: 'GET', path, headers })).data,
    post: async (path, body) => (await call({ origin, method: 'POST', path, headers, body })).data,
    put: async (path, body) => (await call({ origin, method: 'PUT', path, headers, body })).data,
  }
}

type Call = {
  readonly origin: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** One call of the control plane through the public origin. */
export async function call({ origin, method, path, headers = {}, body }: Call): Promise<{ data: unknown; cookie: string }> {
  const answer = await fetch(origin + path, {
    method,
    headers: { 'accept-language': 'en', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const parsed = Answer.safeParse(await answer.json().catch(() => undefined))
  if (!parsed.success) throw new Error(`${method} ${path} answered ${answer.status} and no envelope`)
  if (!parsed.data.success) throw new Error(`${method} ${path} answered ${answer.status}: ${parsed.data.message}`)
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { data: parsed.data.data, cookie: cookie.join('; ') }
}
