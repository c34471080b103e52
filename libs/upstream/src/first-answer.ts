import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { parseJson } from '@tollgate/providers/json'
import type { PreparedCall } from './call.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** The answer of a vendor that may state where the real one streams, held until it is complete. */
export class FirstAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly #call: PreparedCall
  readonly #chunks: Buffer[] = []
  #size = 0

  private constructor(call: PreparedCall, status: number, headers: IncomingHttpHeaders) {
    this.#call = call
    this.status = status
    this.headers = headers
  }

  /** Undefined if this answer is the real one. */
  static begin(call: PreparedCall, status: number, headers: IncomingHttpHeaders): FirstAnswer | undefined {
    const isDocument = status >= 200 && status < 300 && (headers['content-type'] ?? '').includes('json')
    return call.streamAt !== undefined && isDocument && headers['content-encoding'] === undefined
      ? new FirstAnswer(call, status, headers)
      : undefined
  }

  /** False if it is too large to be held. */
  push(chunk: Buffer): boolean {
    this.#size += chunk.length
    this.#chunks.push(Buffer.from(chunk))
    return this.#size <= MAX_BYTES
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  next(): PreparedCall | undefined {
    const address = this.#call.streamAt?.(parseJson(this.bytes.toString()))
    return address === undefined ? undefined : streamCall(this.#call, address)
  }
}

const BODY_HEADERS = new Set(['content-type', 'prefer'])

/** The call that reads the stream. The key goes only to the vendor's own host or a host of its domain. Undefined: no usable address. */
export function streamCall({ streamAt: _used, ...call }: PreparedCall, address: string): PreparedCall | undefined {
  const from = URL.parse(call.origin)
  const to = URL.parse(address)
  if (from === null || to === null || !(to.protocol === 'https:' || to.origin === from.origin)) return undefined
  const isKnown = to.origin === from.origin || (to.protocol === 'https:' && domainOf(to.hostname) === domainOf(from.hostname))
  const headers: string[] = []
  for (let at = 0; at + 1 < call.headers.length; at += 2) {
    const [name = '', value = ''] = call.headers.slice(at, at + 2)
    if (name === 'accept') headers.push(name, 'text/event-stream')
    else if (!BODY_HEADERS.has(name) && (isKnown || HARMLESS.has(name))) headers.push(name, value)
  }
  return { ...call, method: 'GET', origin: to.origin, path: to.pathname + to.search, headers, body: undefined }
}

/** What a host of another domain may receive: no key, nor what the operator sends beside it. */
const HARMLESS = new Set(['accept-encoding'])

const domainOf = (host: string) => (isIP(host) === 0 ? host.split('.').slice(-2).join('.') : host)
