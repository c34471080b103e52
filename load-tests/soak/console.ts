import { Agent } from 'undici'

/** A signed-in user of the console API. */
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
  /** Status 500 and above. */
  readonly isOutage: boolean
  constructor(call: string, status: number, message: string) {
    super(`${call} answered ${status}: ${message}`)
    this.isOutage = status >= 500
  }
}

/** An HTTP client that connects from `address`; every address of 127.0.0.0/8 is this machine. */
export function openHttpClient(origin: string, address: string) {
  const agent = new Agent({ localAddress: address, connections: 2 })
  const call = async ({ method, path, body, headers = {} }: Call): Promise<{ data: unknown; cookie: string }> => {
    const response = await agent.request({
      origin,
      method,
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const envelope = (await response.body.json()) as Envelope // the console's envelope; the next line checks it
    if (envelope.success !== true) throw new ConsoleError(`${method} ${path}`, response.statusCode, envelope.message ?? '')
    const cookies = [response.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
    return { data: envelope.data, cookie: cookies.join('; ') }
  }
  return { call, close: () => agent.close() }
}

export type Account = { readonly username: string; readonly password: string; readonly address: string }

export async function signIn(origin: string, { username, password, address }: Account): Promise<ConsoleUser> {
  const { call, close } = openHttpClient(origin, address)
  const { data, cookie } = await call({ method: 'POST', path: '/api/user/login', body: { username, password } })
  const { id } = data as { id: number } // a signed-in user
  const headers = { cookie, 'New-Api-User': String(id) }
  // The caller states the type of the response.
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
