import { Agent } from 'undici'

/** Somebody at the console's API, from an address of his own: the limits per address stay as they are in production. */
export type ConsoleUser = {
  readonly id: number
  get<T = unknown>(path: string): Promise<T>
  send<T = unknown>(method: Method, path: string, body?: unknown): Promise<T>
  /** Signs out and closes the connections. */
  signOut(): Promise<void>
}

type Envelope = { readonly success?: boolean; readonly message?: string; readonly data?: unknown }
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Call = { readonly method: Method; readonly path: string; readonly body?: unknown; readonly headers?: Record<string, string> }

export class ConsoleError extends Error {
  /** The console could not, rather than would not. */
  readonly isOutage: boolean
  constructor(call: string, status: number, message: string) {
    super(`${call} answered ${status}: ${message}`)
    this.isOutage = status >= 500
  }
}

/** A browser, as far as the API needs one. Every address of 127.0.0.0/8 is this machine. */
export function openBrowser(origin: string, address: string) {
  const agent = new Agent({ localAddress: address, connections: 2 })
  const call = async ({ method, path, body, headers = {} }: Call): Promise<{ data: unknown; cookie: string }> => {
    const answer = await agent.request({
      origin,
      method,
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const envelope = (await answer.body.json()) as Envelope // the console's envelope; what it lacks is refused in the next line
    if (envelope.success !== true) throw new ConsoleError(`${method} ${path}`, answer.statusCode, envelope.message ?? '')
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
    return { data: envelope.data, cookie: cookies.join('; ') }
  }
  return { call, close: () => agent.close() }
}

export type Account = { readonly username: string; readonly password: string; readonly address: string }

export async function signIn(origin: string, { username, password, address }: Account): Promise<ConsoleUser> {
  const { call, close } = openBrowser(origin, address)
  const { data, cookie } = await call({ method: 'POST', path: '/api/user/login', body: { username, password } })
  const { id } = data as { id: number } // a signed-in user
  const headers = { cookie, 'New-Api-User': String(id) }
  // Whoever asks knows the shape of the answer he asks for.
  const send = async <T>(method: Method, path: string, body?: unknown): Promise<T> =>
    (await call({ method, path, headers, ...(body === undefined ? {} : { body }) })).data as T
  return {
    id,
    get: (path) => send('GET', path),
    send,
    signOut: async () => {
      try {
        await send('GET', '/api/user/logout')
      } finally {
        await close()
      }
    },
  }
}
