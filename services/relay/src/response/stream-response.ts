import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { Attempt } from '@tollgate/contracts/relay/usage-event'
import type { OutboundError } from '@tollgate/outbound/errors'
import { openAiErrorOf } from '@tollgate/providers/chat/formats/openai-chat/errors'
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
import type { Delivered, Dispatched } from '../request/phases.ts'
import { beginEventStream, type Pinger } from './event-stream.ts'
import type { CallOutcome } from '@tollgate/domain/channel-health/breaker'
import { KeyMask } from '../channels/key-mask.ts'
import { toClientError, withRequestId, type ClientError } from '../request/client-error.ts'
import { noteUnexpected, noteUnknownEnd } from '../channels/unexpected-answers.ts'
import { announceWarnings } from './warnings-header.ts'
import { asServed, finalUsage, usageOf } from '../usage/answer-usage.ts'

/** Bytes that one stream may read before other streams get a turn. */
const TURN_BYTES = 64 * 1024
/** Status of an upstream that refuses the channel's key; the client's own was accepted. */
const UNAUTHORIZED = 401

type Deps = DisconnectDeps & { readonly health: ChannelHealth }

/** Effect of the end of a stream on its channel's health: a stream that breaks off counts like a refusal. */
const HEALTH_OUTCOMES = {
  complete: { kind: 'ok' },
  'upstream-failed': { kind: 'failed' },
  'client-disconnected': { kind: 'neutral' },
  'gateway-failed': { kind: 'neutral' },
  reaper: { kind: 'neutral' },
} as const satisfies Record<ResponseOutcome['ended_by'], CallOutcome>

type Input = {
  readonly abort: RequestAbort
  readonly pinger: Pinger | undefined
  readonly writeStallMs: number
}

/**
 * Forwards a vendor's stream as it arrives, one write per chunk, while a usage reader counts usage and delivered content. Resolves when
 * the stream has ended; the end marker waits for the settlement.
 */
export function deliverStream(dispatched: Dispatched<StreamAnswer>, input: Input, deps: Deps): Promise<PendingResponse> {
  const { context, calls, progress, answer } = dispatched
  context.clock.enter('deliver')
  progress.usageReader = answer.opened.usageReader
  announceWarnings(context, calls.warnings)
  beginEventStream(context.reply, answer.content_type)
  return new Promise((resolve) => {
    const stream = new StreamResponse(dispatched, { ...input, deps }, (response, ended_by) => {
      if (calls.channelKey !== undefined) deps.health.record(calls.channelKey, HEALTH_OUTCOMES[ended_by])
      resolve(response)
    })
    input.pinger?.follow(stream.usageReader)
    stream.begin(answer.opened.takeFirst())
    answer.answer.readWith(stream)
  })
}

/** `stopped`: this relay ended the stream, because the client disconnected or the process shuts down. */
type End = StreamEnding | 'stopped'

type Streaming = Input & { readonly deps: Deps }
type Resolve = (response: PendingResponse, ended_by: ResponseOutcome['ended_by']) => void
type Ending = Omit<PendingResponse, 'ended'> & { readonly outcome: ResponseOutcome }

class StreamResponse implements BodyReader {
  readonly usageReader: AnswerStream
  readonly #dispatched: Dispatched<StreamAnswer>
  readonly #input: Streaming
  readonly #resolve: Resolve
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

  constructor(dispatched: Dispatched<StreamAnswer>, input: Streaming, resolve: Resolve) {
    this.#dispatched = dispatched
    this.#input = input
    this.#resolve = resolve
    this.usageReader = dispatched.answer.opened.usageReader
    this.#mask = new KeyMask(dispatched.calls.vendorKey)
    dispatched.context.reply.onDrain(() => this.#onDrain())
  }

  /** Forwards the piece that the stream was opened with. */
  begin(first: Buffer): void {
    const listener = { is_stream: true, onStop: () => this.#stop(), onDrain: () => this.#readOn() }
    this.#unwatch = watchDisconnect(this.#dispatched, this.#input.abort, listener, this.#input.deps)
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
    this.#dispatched.answer.sending.pause()
    setImmediate(() => {
      this.#isYielding = false
      if (!this.#isWaiting && !this.#isOver) this.#dispatched.answer.sending.resume()
    })
  }

  #limitDrain(bytes: number): void {
    this.#drained += bytes
    const { progress } = this.#dispatched
    const { client_disconnect } = progress
    if (this.#drained <= this.#input.deps.config.settings.drain.bytes || this.#isOver || client_disconnect === undefined) return
    progress.client_disconnect = { ...client_disconnect, is_capped: true }
    this.#stop()
  }

  #forward(piece: Buffer): void {
    const { progress, context } = this.#dispatched
    if (progress.first_token_ms < 0 && this.usageReader.facts.hasContent) progress.first_token_ms = context.clock.elapsed()
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
    if (this.#dispatched.context.reply.write(this.#mask.push(piece)) || this.#isWaiting) return
    this.#isWaiting = true
    this.#dispatched.answer.sending.pause()
    this.#stall = setTimeout(() => this.#dispatched.context.reply.cut(), this.#input.writeStallMs)
  }

  #onDrain(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    clearTimeout(this.#stall)
    if (!this.#isYielding) this.#dispatched.answer.sending.resume()
  }

  #stop(): void {
    this.#finish('stopped')
    this.#dispatched.answer.sending.abort()
  }

  #readOn(): void {
    this.#isDraining = true
    this.#onDrain()
  }

  #close(error?: OutboundError): void {
    const { rest, ending } = this.usageReader.close()
    if (rest.length > 0 && !this.#isDraining) this.#dispatched.context.reply.write(this.#mask.push(rest))
    this.#finish(error !== undefined && this.usageReader.isOpenEnded === true ? 'cut' : ending, error)
    if (ending === 'failed') this.#dispatched.answer.sending.abort()
  }

  #finish(end: End, error?: OutboundError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#stall)
    this.#unwatch()
    this.#input.pinger?.stop()
    this.#resolve(...this.#toResponse(end, error))
  }

  #toResponse(end: End, error: OutboundError | undefined): Parameters<Resolve> {
    const usage = this.#usage(end)
    const { raw_usage, finish, failure: broken, unknown_end } = this.usageReader.facts
    const { activity } = this.#input.deps.health
    const unexpected = noteUnexpected(this.#dispatched, { usage, unknown_end: broken === undefined ? unknown_end : undefined }, activity)
    if (broken !== undefined) noteUnknownEnd(this.#dispatched, broken, activity)
    const { answer: _answer, ...held } = this.#dispatched
    const { calls, context, progress } = held
    const { outcome, ...rest } = this.#ending(end, { usage, error })
    const delivered: Delivered = {
      ...held,
      ...outcome,
      calls: { ...calls, attempts: endLast(calls.attempts, context.clock.elapsed()) },
      is_stream: true,
      first_token_ms: progress.first_token_ms,
      raw_usage: raw_usage === undefined ? undefined : this.#mask.text(raw_usage),
      finish,
      warnings: [...calls.warnings, ...unexpected, ...(this.usageReader.warnings ?? [])],
    }
    return [{ ended: { kind: 'delivered', delivered }, ...rest }, outcome.ended_by]
  }

  #ending(end: End, { usage, error }: { readonly usage: Usage | undefined; readonly error: OutboundError | undefined }): Ending {
    if (end === 'stopped' || this.#isDraining) return this.#toAborted(usage)
    const { reply, clientApi } = this.#dispatched.context
    const failure = this.#failure(end, error)
    if (failure === undefined) {
      const closing = this.usageReader.closing(usage ?? usageOf(this.usageReader.facts, this.#known(), true))
      const { answer } = this.usageReader
      const last = this.#mask.end(closing)
      return { outcome: { usage, client_status: 200, ended_by: 'complete' }, answer, last, finish: () => reply.end(last) }
    }
    const { code: error_code, message: error_message } = failure
    const error_type = errorTypeFor(clientApi, failure)
    return {
      outcome: { usage, client_status: 200, error_code, error_type, error_message, ended_by: 'upstream-failed' },
      ...this.#errorEnd(failure),
    }
  }

  /** The error is sent inside the stream; a format without an error event is cut, so that a part is not taken for the whole. */
  #errorEnd(failure: ClientError): Pick<Ending, 'last' | 'finish'> {
    const { reply, clientApi } = this.#dispatched.context
    if (this.usageReader.isOpenEnded === true) return { finish: () => reply.cut() }
    const told = this.usageReader.renderError?.(failure) ?? clientApi.renderStreamError(failure, !reply.hasBody)
    const last = this.#mask.end(Buffer.from(told))
    return { last, finish: () => reply.end(last) }
  }

  #toAborted(usage: Usage | undefined): Ending {
    const { reply } = this.#dispatched.context
    if (this.#input.abort.left_ms !== undefined)
      return { outcome: { usage, client_status: 499, ended_by: 'client-disconnected' }, finish: () => reply.cut() }
    const stopping = toClientError(new AppError('gateway.stopping'), this.#dispatched.context)
    return {
      outcome: { usage, client_status: 200, error_code: stopping.code, ended_by: 'gateway-failed' },
      ...this.#errorEnd(stopping),
    }
  }

  /** The usage that upstream reported, otherwise the counted one; undefined: nothing is owed. */
  #usage(end: End): Usage | undefined {
    const { facts, isDone } = this.usageReader
    // Upstream had accepted the call of a client that disconnected: the prompt is owed, even without content.
    const isAbandoned = end === 'stopped' && this.#input.abort.left_ms !== undefined
    const isOwed = finalUsage(facts, isDone) !== undefined || facts.hasContent || isAbandoned
    if (!isOwed) return undefined
    const { quote } = this.#dispatched.calls.group.costEstimate
    // Only a stream that has ended says how many answers it delivered.
    const answers = end === 'done' || end === 'finished' ? facts.answers : undefined
    const { served_tier, served_model } = facts
    return asServed(usageOf(facts, this.#known(), isDone), quote, { answers, served_tier, served_model })
  }

  #known() {
    const { upstream_model, group } = this.#dispatched.calls
    return { model: upstream_model, prompt_tokens: group.costEstimate.prompt_tokens }
  }

  #failure(end: StreamEnding, error: OutboundError | undefined): ClientError | undefined {
    const { context } = this.#dispatched
    const { hasContent, unreadable } = this.usageReader.facts
    if (this.usageReader.facts.failure !== undefined) {
      const failure = forCustomers(redactFailure(this.usageReader.facts.failure, this.#dispatched.calls.vendorKey))
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

/** The attempt that answered ends with its stream. */
function endLast(attempts: readonly Attempt[], ended_ms: number): readonly Attempt[] {
  return attempts.map((attempt, at) => (at === attempts.length - 1 ? { ...attempt, ended_ms } : attempt))
}
