import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/quote'
import type { OutboundError } from '@tollgate/outbound/errors'
import { openAiErrorOf } from '@tollgate/providers/formats/openai-chat/errors'
import type { AnswerStream, StreamEnding } from '@tollgate/providers/chat/stream'
import { forCustomers, redactFailure } from '@tollgate/upstream/failure'
import type { StreamAnswer } from '../channels/outcome.ts'
import type { BodyReader } from '../channels/upstream-answer.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { RequestAbort } from '../request/abort.ts'
import { watchDisconnect, type DisconnectDeps } from '../channels/client-disconnect.ts'
import { errorTypeFor } from '../request/error-type.ts'
import type { PendingResponse } from './outcome.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import type { RequestRecord } from '../request/record.ts'
import { beginEventStream, type Pinger } from './event-stream.ts'
import type { CallOutcome } from '@tollgate/domain/channel-health/breaker'
import { KeyMask } from '../channels/key-mask.ts'
import { toClientError, withRequestId, type ClientError } from '../request/client-error.ts'
import { noteOddities, noteUnknownEnd } from '../channels/odd-answers.ts'
import { announceWarnings } from './warnings-header.ts'
import { asServed, finalUsage, usageOf } from '../usage/answer-usage.ts'

/** What one stream may read before it leaves a turn to others. */
const TURN_BYTES = 64 * 1024
/** Of the channel's key; the client's own was accepted. */
const UNAUTHORIZED = 401

type Deps = DisconnectDeps & { readonly health: ChannelHealth }

/** What the end of a stream means for its channel's health: a stream that breaks off counts like a refusal. */
const HEALTH_OUTCOMES = {
  complete: { kind: 'ok' },
  'upstream-failed': { kind: 'failed' },
  'client-disconnected': { kind: 'neutral' },
  'gateway-failed': { kind: 'neutral' },
  reaper: { kind: 'neutral' },
} as const satisfies Record<ResponseOutcome['ended_by'], CallOutcome>

type Input = {
  readonly dispatched: StreamAnswer
  readonly abort: RequestAbort
  readonly pinger: Pinger | undefined
  readonly writeStallMs: number
}

/**
 * Forwards a vendor's stream as it arrives, one write per chunk, while a usage reader counts usage and delivered content. Resolves when
 * the stream has ended; the end marker waits for the settlement.
 */
export function deliverStream(record: RequestRecord, input: Input, deps: Deps): Promise<PendingResponse> {
  record.context.clock.enter('deliver')
  record.is_stream = true
  record.usageReader = input.dispatched.opened.usageReader
  announceWarnings(record)
  beginEventStream(record.context.reply, input.dispatched.content_type)
  return new Promise((resolve) => {
    const stream = new StreamResponse(record, { ...input, deps }, (response) => {
      if (record.channelKey !== undefined) deps.health.record(record.channelKey, HEALTH_OUTCOMES[response.outcome.ended_by])
      resolve(response)
    })
    input.pinger?.follow(stream.usageReader)
    stream.begin(input.dispatched.opened.takeFirst())
    input.dispatched.answer.readWith(stream)
  })
}

/** `stopped`: this relay ended the stream, because the client disconnected or the process shuts down. */
type End = StreamEnding | 'stopped'

type Streaming = Input & { readonly deps: Deps }

class StreamResponse implements BodyReader {
  readonly usageReader: AnswerStream
  readonly #record: RequestRecord
  readonly #input: Streaming
  readonly #resolve: (response: PendingResponse) => void
  readonly #mask: KeyMask
  #stall: NodeJS.Timeout | undefined
  #isWaiting = false
  #isYielding = false
  /** Bytes since the vendor's connection was last left to others. */
  #turn = 0
  #isOver = false
  #isDraining = false
  #drained = 0
  #unwatch: () => void = () => undefined

  constructor(record: RequestRecord, input: Streaming, resolve: (response: PendingResponse) => void) {
    this.#record = record
    this.#input = input
    this.#resolve = resolve
    this.usageReader = input.dispatched.opened.usageReader
    this.#mask = new KeyMask(record.vendorKey)
    record.context.reply.onDrain(() => this.#onDrain())
  }

  /** Forwards the piece that the stream was opened with. */
  begin(first: Buffer): void {
    const listener = { onStop: () => this.#stop(), onDrain: () => this.#readOn() }
    this.#unwatch = watchDisconnect(this.#record, this.#input.abort, listener, this.#input.deps)
    if (!this.#isOver) this.#forward(first)
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return
    this.#forward(this.usageReader.push(chunk))
    if (this.#isDraining) this.#limitDrain(chunk.length)
    this.#turn += chunk.length
    if (this.#turn >= TURN_BYTES) this.#yield()
  }

  /** Leaves the event loop to other connections, new ones too: libuv reads on from a fast vendor as long as it sends. */
  #yield(): void {
    this.#turn = 0
    if (this.#isYielding || this.#isWaiting || this.#isOver) return
    this.#isYielding = true
    this.#input.dispatched.sending.pause()
    setImmediate(() => {
      this.#isYielding = false
      if (!this.#isWaiting && !this.#isOver) this.#input.dispatched.sending.resume()
    })
  }

  #limitDrain(bytes: number): void {
    this.#drained += bytes
    const { client_disconnect } = this.#record
    if (this.#drained <= this.#input.deps.config.settings.drain.bytes || this.#isOver || client_disconnect === undefined) return
    this.#record.client_disconnect = { ...client_disconnect, is_capped: true }
    this.#stop()
  }

  #forward(piece: Buffer): void {
    if (this.#record.first_token_ms < 0 && this.usageReader.facts.hasContent)
      this.#record.first_token_ms = this.#record.context.clock.elapsed()
    if (piece.length > 0 && !this.#isDraining) this.#write(piece)
    if (this.usageReader.facts.failure !== undefined) this.#close()
    else if (this.usageReader.isDone) this.#close()
  }

  onEnd(): void {
    if (!this.#isOver) this.#close()
  }

  onError(error: OutboundError): void {
    if (!this.#isOver) this.#close(error)
  }

  #write(piece: Buffer): void {
    this.#input.pinger?.note(piece)
    if (this.#record.context.reply.write(this.#mask.push(piece)) || this.#isWaiting) return
    this.#isWaiting = true
    this.#input.dispatched.sending.pause()
    this.#stall = setTimeout(() => this.#record.context.reply.cut(), this.#input.writeStallMs)
  }

  #onDrain(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    clearTimeout(this.#stall)
    if (!this.#isYielding) this.#input.dispatched.sending.resume()
  }

  #stop(): void {
    this.#finish('stopped')
    this.#input.dispatched.sending.abort()
  }

  #readOn(): void {
    this.#isDraining = true
    this.#onDrain()
  }

  #close(error?: OutboundError): void {
    const { rest, ending } = this.usageReader.close()
    if (rest.length > 0 && !this.#isDraining) this.#record.context.reply.write(this.#mask.push(rest))
    this.#finish(error !== undefined && this.usageReader.isOpenEnded === true ? 'cut' : ending, error)
    if (ending === 'failed') this.#input.dispatched.sending.abort()
  }

  #finish(end: End, error?: OutboundError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#stall)
    this.#unwatch()
    this.#input.pinger?.stop()
    this.#resolve(this.#toResponse(end, error))
  }

  #toResponse(end: End, error: OutboundError | undefined): PendingResponse {
    const { reply } = this.#record.context
    const usage = this.#usage(end)
    const { raw_usage, failure: broken, unknown_end } = this.usageReader.facts
    const { activity } = this.#input.deps.health
    noteOddities(this.#record, { usage, unknown_end: broken === undefined ? unknown_end : undefined }, activity)
    if (broken !== undefined) noteUnknownEnd(this.#record, broken, activity)
    this.#record.raw_usage = raw_usage === undefined ? undefined : this.#mask.text(raw_usage)
    this.#record.warnings = [...this.#record.warnings, ...(this.usageReader.warnings ?? [])]
    const attempt = this.#record.attempts.at(-1)
    if (attempt !== undefined) attempt.ended_ms = this.#record.context.clock.elapsed()
    if (end === 'stopped' || this.#isDraining) return this.#toAborted(usage)
    const failure = this.#failure(end, error)
    if (failure === undefined) {
      const closing = this.usageReader.closing(usage ?? usageOf(this.usageReader.facts, this.#known(), true))
      const { answer } = this.usageReader
      return { outcome: { usage, client_status: 200, ended_by: 'complete' }, answer, finish: () => reply.end(this.#mask.end(closing)) }
    }
    const { code: error_code, message: error_message } = failure
    const error_type = errorTypeFor(this.#record.context.clientApi, failure)
    return {
      outcome: { usage, client_status: 200, error_code, error_type, error_message, ended_by: 'upstream-failed' },
      finish: () => this.#sendError(failure),
    }
  }

  /** Sends the error inside the stream; a format without an error event is cut, so that a part is not taken for the whole. */
  #sendError(failure: ClientError): void {
    const { reply, clientApi } = this.#record.context
    if (this.usageReader.isOpenEnded === true) return reply.cut()
    const told = this.usageReader.renderError?.(failure) ?? clientApi.renderStreamError(failure, !reply.hasBody)
    reply.end(this.#mask.end(Buffer.from(told)))
  }

  #toAborted(usage: Usage | undefined): PendingResponse {
    const { reply } = this.#record.context
    if (this.#input.abort.left_ms !== undefined)
      return { outcome: { usage, client_status: 499, ended_by: 'client-disconnected' }, finish: () => reply.cut() }
    const stopping = toClientError(new AppError('gateway.stopping'), this.#record.context)
    return {
      outcome: { usage, client_status: 200, error_code: stopping.code, ended_by: 'gateway-failed' },
      finish: () => this.#sendError(stopping),
    }
  }

  /** What upstream reported, otherwise what was counted; undefined: nothing is owed. */
  #usage(end: End): Usage | undefined {
    const { facts, isDone } = this.usageReader
    // Upstream had accepted the call of a client that disconnected: the prompt is owed, even without content.
    const isAbandoned = end === 'stopped' && this.#input.abort.left_ms !== undefined
    const isOwed = finalUsage(facts, isDone) !== undefined || facts.hasContent || isAbandoned
    if (!isOwed) return undefined
    const { quote } = this.#record.costEstimate
    // Only a stream that has ended says how many answers it delivered.
    const answers = end === 'done' || end === 'finished' ? facts.answers : undefined
    const { served_tier, served_model } = facts
    return asServed(usageOf(facts, this.#known(), isDone), quote, { answers, served_tier, served_model })
  }

  #known() {
    return { model: this.#record.upstream_model, prompt_tokens: this.#record.costEstimate.prompt_tokens }
  }

  #failure(end: StreamEnding, error: OutboundError | undefined): ClientError | undefined {
    const { context } = this.#record
    const { hasContent, unreadable } = this.usageReader.facts
    if (this.usageReader.facts.failure !== undefined) {
      const failure = forCustomers(redactFailure(this.usageReader.facts.failure, this.#record.vendorKey))
      const { message, type, code } = openAiErrorOf(failure)
      const { status = 0 } = failure
      if (status === UNAUTHORIZED) return toClientError(new AppError('upstream.auth'), context)
      // Google's clients raise an error inside a stream by its status.
      const shown = { status: status < 400 ? 502 : status, type, code: String(code ?? 'upstream_error') }
      return { ...shown, message: withRequestId(message, context), param: '', upstream_body: failure.body }
    }
    if (end === 'cut') return toClientError(new AppError(error?.failure === 'timeout' ? 'upstream.timeout' : 'upstream.cut'), context)
    if (!hasContent && unreadable > 0) return toClientError(new AppError('upstream.malformed'), context)
    return undefined
  }
}
