import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { contentCodingOf } from './content-coding.ts'
import { OutboundError } from './errors.ts'
import type { AnswerSink } from './in-flight-call.ts'
import type { Outbound } from './outbound.ts'
import type { OutboundRequest } from './request.ts'

export type StreamLimits = {
  /** A longer answer fails with 'too-large': at its head if it says so, else at the first byte over it. */
  readonly maxBytes: number
  /** Until the status. */
  readonly headTimeoutMs: number
  /** Between two pieces, while the reader takes them. */
  readonly idleMs: number
  /** For the whole body, whatever the reader does. */
  readonly timeoutMs: number
}

export type StreamRequest = Omit<OutboundRequest, 'timeoutMs' | 'maxBytes' | 'signal'>

export type OpenedStream = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Destroy it to end the call. A failure destroys it with an OutboundError. */
  readonly body: Readable
}

/** Held between the vendor and a slow reader. */
const BUFFER = 256 * 1024

/** Sends a call and resolves at the status; the body follows at the pace of its reader. No status is an error. Throws OutboundError. */
export function openStream(outbound: Pick<Outbound, 'dispatch'>, input: StreamRequest, limits: StreamLimits): Promise<OpenedStream> {
  const url = URL.parse(input.url)
  if (url === null) return Promise.reject(new OutboundError('invalid', 'not a URL'))
  return new Promise((resolve, reject) => {
    const sink = new StreamSink({
      limits,
      resolve,
      reject,
      control: { pause: () => call.pause(), resume: () => call.resume(), abort: (error) => call.abort(error) },
    })
    const call = outbound.dispatch(
      {
        method: input.method ?? 'GET',
        origin: url.origin,
        path: url.pathname + url.search,
        headers: Object.entries({ 'accept-encoding': 'identity', ...input.headers }).flat(),
        body: input.body,
        proxy: input.proxy,
        poolKey: input.poolKey,
        owner: input.owner,
      },
      sink,
    )
  })
}

type Control = { pause(): void; resume(): void; abort(error?: OutboundError): void }
type Options = {
  readonly limits: StreamLimits
  readonly control: Control
  readonly resolve: (opened: OpenedStream) => void
  readonly reject: (error: OutboundError) => void
}

class StreamSink implements AnswerSink {
  readonly #options: Options
  readonly #body: Readable
  #isOpen = false
  #isPaused = false
  #left: number
  #timers: NodeJS.Timeout[]
  #idle: NodeJS.Timeout | undefined

  constructor(options: Options) {
    const { control, limits } = options
    this.#options = options
    this.#left = limits.maxBytes
    this.#timers = [this.#abortAfter(limits.headTimeoutMs)]
    this.#body = new Readable({
      highWaterMark: BUFFER,
      read: () => {
        this.#isPaused = false
        control.resume()
      },
      destroy: (error, done) => {
        this.#stop()
        control.abort()
        done(error)
      },
    })
    // A failure before the reader listens would end the process; the reader finds the destroyed body.
    this.#body.on('error', () => undefined)
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    const { limits, control, resolve } = this.#options
    this.#stop()
    if (Number(headers['content-length'] ?? 0) > limits.maxBytes) return control.abort(tooLarge(limits))
    if (contentCodingOf(headers['content-encoding']) !== '') return control.abort(new OutboundError('malformed', 'a compressed stream'))
    this.#isOpen = true
    this.#idle = setTimeout(() => this.#judgeSilence(), limits.idleMs)
    this.#timers = [this.#abortAfter(limits.timeoutMs), this.#idle]
    resolve({ status, headers, body: this.#body })
  }

  onData(chunk: Buffer): void {
    const { limits, control } = this.#options
    this.#left -= chunk.length
    this.#idle?.refresh()
    if (this.#left < 0) return control.abort(tooLarge(limits))
    if (this.#body.push(chunk)) return
    this.#isPaused = true
    control.pause()
  }

  onEnd(): void {
    this.#stop()
    this.#body.push(null)
  }

  onError(error: OutboundError): void {
    this.#stop()
    if (this.#isOpen) this.#body.destroy(error)
    else this.#options.reject(error)
  }

  #judgeSilence(): void {
    if (this.#isPaused) this.#idle?.refresh()
    else this.#options.control.abort(new OutboundError('timeout', `no byte within ${this.#options.limits.idleMs} ms`))
  }

  #abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#options.control.abort(new OutboundError('timeout', `not finished within ${ms} ms`)), ms)
  }

  #stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}

const tooLarge = ({ maxBytes }: StreamLimits): OutboundError => new OutboundError('too-large', `the answer is over ${maxBytes} bytes`)
