import type { IncomingHttpHeaders } from 'node:http'
import type { Owner } from '@tollgate/shares/budget'
import { contentCodingOf, decodeWhole } from './content-coding.ts'
import { OutboundError } from './errors.ts'
import type { Outbound } from './outbound.ts'

export type OutboundRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged; set `content-type` in `headers`. */
  readonly body?: Buffer | string
  /** Until the last byte. */
  readonly timeoutMs: number
  /** Default 4 MB; a longer response fails with 'too-large'. */
  readonly maxBytes?: number
  readonly proxy?: string | undefined
  readonly poolKey?: string
  readonly signal?: AbortSignal
  /** The user who gave the address. */
  readonly owner?: Owner | undefined
  /** Called with the size of each piece before it is kept, also of decompressed ones. An error that it returns ends the call. */
  readonly take?: ((bytes: number) => OutboundError | undefined) | undefined
}

export type OutboundAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Collects a response within the time and size limits. No HTTP status is an error. */
export function request(outbound: Pick<Outbound, 'dispatch'>, input: OutboundRequest): Promise<OutboundAnswer> {
  const url = URL.parse(input.url)
  if (url === null) return Promise.reject(new OutboundError('invalid', 'not a URL'))
  const headers = Object.entries({ 'accept-encoding': 'identity', ...input.headers }).flat()
  const maxBytes = input.maxBytes ?? 4 * 1024 * 1024
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let head: Pick<OutboundAnswer, 'status' | 'headers'> = { status: 0, headers: {} }
    const settle = () => {
      clearTimeout(timer)
      input.signal?.removeEventListener('abort', stop)
    }
    const inFlight = outbound.dispatch(
      {
        method: input.method ?? 'GET',
        origin: url.origin,
        path: url.pathname + url.search,
        headers,
        body: input.body,
        proxy: input.proxy,
        poolKey: input.poolKey,
        owner: input.owner,
      },
      {
        onHead: (status, answered) => {
          head = { status, headers: answered }
        },
        onData: (chunk) => {
          size += chunk.length
          const refusal =
            size > maxBytes ? new OutboundError('too-large', `the answer is over ${maxBytes} bytes`) : input.take?.(chunk.length)
          if (refusal === undefined) chunks.push(chunk)
          else inFlight.abort(refusal)
        },
        onEnd: () => {
          settle()
          const body = Buffer.concat(chunks)
          const coding = contentCodingOf(head.headers['content-encoding'])
          if (coding === '' || body.length === 0) resolve({ ...head, body })
          else decodeWhole(body, coding, { maxBytes, take: input.take }).then((decoded) => resolve({ ...head, body: decoded }), reject)
        },
        onError: (error) => {
          settle()
          reject(error)
        },
      },
    )
    const stop = () => inFlight.abort()
    const timer = setTimeout(() => inFlight.abort(new OutboundError('timeout', `no answer within ${input.timeoutMs} ms`)), input.timeoutMs)
    input.signal?.addEventListener('abort', stop, { once: true })
    if (input.signal?.aborted === true) stop()
  })
}
