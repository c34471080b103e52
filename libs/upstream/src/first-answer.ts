import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { parseJson } from '@tollgate/providers/json'
import type { FollowUp } from '@tollgate/providers/calls/follow-up'
import type { PreparedCall } from './call.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** The answer of a vendor that may state where the real one is, held until it is complete. */
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
    return call.followUp !== undefined && isDocument && headers['content-encoding'] === undefined
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

  next(): NextCall | undefined {
    const found = this.#call.followUp?.(parseJson(this.bytes.toString()))
    const call = found === undefined ? undefined : followUpCall(this.#call, found)
    return found === undefined || call === undefined ? undefined : { call, wait_ms: found.kind === 'poll' ? found.wait_ms : 0 }
  }
}

/** `wait_ms`: before it is sent. */
type NextCall = { readonly call: PreparedCall; readonly wait_ms: number }

/** Headers of the first call's body or manner. */
const BODY_HEADERS = new Set(['content-type', 'prefer', 'x-dashscope-async'])

/** The call that follows. The key goes only to the vendor's own host or a host of its domain. Undefined: no usable address. */
export function followUpCall({ followUp, ...call }: PreparedCall, { kind, url }: FollowUp): PreparedCall | undefined {
  const from = URL.parse(call.origin)
  const to = URL.parse(url, `${call.origin}${call.path}`)
  if (from === null || to === null || !(to.protocol === 'https:' || to.origin === from.origin)) return undefined
  const isKnown = to.origin === from.origin || (to.protocol === 'https:' && domainOf(to.hostname) === domainOf(from.hostname))
  const headers: string[] = []
  for (let at = 0; at + 1 < call.headers.length; at += 2) {
    const [name = '', value = ''] = call.headers.slice(at, at + 2)
    if (name === 'accept') headers.push(name, kind === 'stream' ? 'text/event-stream' : 'application/json')
    else if (!BODY_HEADERS.has(name) && (isKnown || HARMLESS.has(name))) headers.push(name, value)
  }
  const pollAgain = (answer: unknown) => {
    const found = followUp?.(answer)
    return found === undefined ? undefined : { ...found, url: to.href }
  }
  const next = kind === 'poll' ? { followUp: pollAgain } : {}
  return { ...call, ...next, method: 'GET', origin: to.origin, path: to.pathname + to.search, headers, body: undefined }
}

/** Headers that a host of another domain may receive: no key, nor those that the operator adds. */
const HARMLESS = new Set(['accept-encoding'])

const domainOf = (host: string) => (isIP(host) === 0 ? host.split('.').slice(-2).join('.') : host)
