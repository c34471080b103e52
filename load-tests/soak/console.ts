import { Agent } from 'undici'

/** A signed-in user of the console API. */
export type ConsoleUser = {
  readonly id: number
  get<T = unknown>(path: string): Promise<T>
  send<T = unknown>(method: Method, path: string, body?: unknown): Promise<T>
  /** The body of a call that answers a file or a stream. */
  text(method: Method, path: string, body?: unknown): Promise<string>
  /** Signs out and closes the connections. */
  signOut(): Promise<void>
}

type Envelope = { readonly success?: boolean; readonly message?: string; readonly data?: unknown }
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Call = { readonly method: Method; readonly path: string; readonly body?: unknown; readonly headers?: Record<string, string> }

export class ConsoleError extends Error {
  /** Status 503: a store was slow. Another 5xx is a fault. */
  readonly isOutage: boolean
  /** Status 429: the user has as many lists open as one may. */
  readonly isRefused: boolean
  constructor(call: string, status: number, message: string) {
    super(`${call} answered ${status}: ${message}`)
    this.isOutage = status === 503
    this.isRefused = status === 429
  }
}

/** An HTTP client that connects from `address`; every address of 127.0.0.0/8 is this machine. */
export function openHttpClient(origin: string, address: string, connections = 2) {
  const agent = new Agent({ localAddress: address, connections })
  const request = ({ method, path, body, headers = {} }: Call) =>
    agent.request({
      origin,
      method,
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
  const call = async (one: Call): Promise<{ data: unknown; cookie: string }> => {
    const response = await request(one)
    const envelope = (await response.body.json()) as Envelope // the console's envelope; the next line checks it
    if (!isSuccess(envelope)) throw new ConsoleError(`${one.method} ${one.path}`, response.statusCode, envelope.message ?? '')
    const cookies = [response.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
    return { data: envelope.data, cookie: cookies.join('; ') }
  }
  const text = async (one: Call): Promise<string> => {
    const { statusCode, body } = await request(one)
    const found = await body.text()
    if (statusCode !== 200) throw new ConsoleError(`${one.method} ${one.path}`, statusCode, found.slice(0, 200))
    return found
  }
  return { call, text, close: () => agent.close() }
}

/** The calls that start a payment say `success` in the message. */
const isSuccess = ({ success, message }: Envelope): boolean => success ?? message === 'success'

export type Account = { readonly username: string; readonly password: string; readonly address: string }

export async function signIn(origin: string, { username, password, address }: Account, connections?: number): Promise<ConsoleUser> {
  const { call, text, close } = openHttpClient(origin, address, connections)
  const { data, cookie } = await call({ method: 'POST', path: '/api/user/login', body: { username, password } })
  const { id } = data as { id: number } // a signed-in user
  const headers = { cookie, 'New-Api-User': String(id) }
  const toCall = (method: Method, path: string, body: unknown): Call => ({ method, path, headers, ...(body === undefined ? {} : { body }) })
  // The caller states the type of the response.
  const send = async <T>(method: Method, path: string, body?: unknown): Promise<T> => (await call(toCall(method, path, body))).data as T
  return {
    id,
    get: (path) => send('GET', path),
    send,
    text: (method, path, body) => text(toCall(method, path, body)),
    signOut: async () => {
      try {
        await send('GET', '/api/user/logout')
      } finally {
        await close()
      }
    },
  }
}
