import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/quote'
import type { OutboundError } from '@tollgate/outbound/errors'
import { openAiErrorOf } from '@tollgate/providers/formats/openai-chat/errors'
import type { AnswerStream, StreamEnding } from '@tollgate/providers/chat/stream'
import { toClientError, withRequestId, type ClientError } from '../errors/client-error.ts'
import type { Departure } from '../request/abort.ts'
import type { Delivery } from '../request/outcome.ts'
import type { StreamAnswer } from '../pipeline/dispatch.ts'
import { followClient } from '../request/client-disconnect.ts'
import { finalUsage, usageOf } from '../usage/answer-usage.ts'
import type { RequestRecord } from '../request/record.ts'
import { beginEventStream, type Pinger } from '../transport/event-stream.ts'
import type { BodyReader } from '../channels/upstream-answer.ts'

type Input = {
  readonly dispatched: StreamAnswer
  readonly departure: Departure
  readonly pinger: Pinger | undefined
  readonly writeStallMs: number
  /** How the beat asks for progress from here on. */
  readonly onUsageReader: (usageReader: AnswerStream) => void
}

/**
 * What the answer's stream makes of upstream's bytes goes on as they come, one write per chunk; it counts usage and delivered content
 * beside them. Resolves when nothing more comes; the end marker waits for the settlement.
 */
export function deliverStream(record: RequestRecord, input: Input): Promise<Delivery> {
  record.context.clock.enter('deliver')
  record.is_stream = true
  beginEventStream(record.context.reply, input.dispatched.content_type)
  return new Promise((resolve) => {
    const stream = new StreamDelivery(record, input, resolve)
    input.onUsageReader(stream.usageReader)
    stream.begin(input.dispatched.opened.takeFirst())
    input.dispatched.answer.readWith(stream)
  })
}

/** `stopped`: we ended it, because the client is gone or because this process must stop. */
type End = StreamEnding | 'stopped'

class StreamDelivery implements BodyReader {
  readonly usageReader: AnswerStream
  readonly #journal: RequestRecord
  readonly #input: Input
  readonly #resolve: (delivery: Delivery) => void
  #stall: NodeJS.Timeout | undefined
  #isWaiting = false
  #isOver = false
  #isDraining = false
  #unfollow: () => void = () => undefined

  constructor(record: RequestRecord, input: Input, resolve: (delivery: Delivery) => void) {
    this.#journal = record
    this.#input = input
    this.#resolve = resolve
    this.usageReader = input.dispatched.opened.usageReader
    record.context.reply.onDrain(() => this.#onDrain())
  }

  /** Gives the client the piece that the stream was opened with. */
  begin(first: Buffer): void {
    const { departure } = this.#input
    this.#unfollow = followClient(this.#journal, departure, { onStop: () => this.#stop(), onDrain: () => this.#readOn() })
    if (!this.#isOver) this.#forward(first)
  }

  onData(chunk: Buffer): void {
    if (!this.#isOver) this.#forward(this.usageReader.push(chunk))
  }

  #forward(piece: Buffer): void {
    if (this.#journal.first_token_ms < 0 && this.usageReader.facts.hasContent)
      this.#journal.first_token_ms = this.#journal.context.clock.elapsed()
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
    if (this.#journal.context.reply.write(piece) || this.#isWaiting) return
    this.#isWaiting = true
    this.#input.dispatched.sending.pause()
    this.#stall = setTimeout(() => this.#journal.context.reply.cut(), this.#input.writeStallMs)
  }

  #onDrain(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    clearTimeout(this.#stall)
    this.#input.dispatched.sending.resume()
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
    if (rest.length > 0 && !this.#isDraining) this.#journal.context.reply.write(rest)
    this.#finish(error !== undefined && this.usageReader.isOpenEnded === true ? 'cut' : ending, error)
    if (ending === 'failed') this.#input.dispatched.sending.abort()
  }

  #finish(end: End, error?: OutboundError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#stall)
    this.#unfollow()
    this.#input.pinger?.stop()
    this.#resolve(this.#toDelivery(end, error))
  }

  #toDelivery(end: End, error: OutboundError | undefined): Delivery {
    const { reply } = this.#journal.context
    const usage = this.#usage(end)
    this.#journal.raw_usage = this.usageReader.facts.raw_usage
    this.#journal.warnings = [...this.#journal.warnings, ...(this.usageReader.warnings ?? [])]
    const attempt = this.#journal.attempts.at(-1)
    if (attempt !== undefined) attempt.ended_ms = this.#journal.context.clock.elapsed()
    if (end === 'stopped' || this.#isDraining) return this.#toGone(usage)
    const failure = this.#failure(end, error)
    if (failure === undefined) {
      const closing = this.usageReader.closing(usage ?? usageOf(this.usageReader.facts, this.#known(), true))
      return { outcome: { usage, client_status: 200, ended_by: 'complete' }, finish: () => reply.end(closing) }
    }
    return {
      outcome: { usage, client_status: 200, error_code: failure.code, error_message: failure.message, ended_by: 'upstream-failed' },
      finish: () => this.#tell(failure),
    }
  }

  /** Inside the stream, where it has words; otherwise the connection breaks off, and nobody takes a part for the whole. */
  #tell(failure: ClientError): void {
    const { reply, clientApi } = this.#journal.context
    if (this.usageReader.isOpenEnded === true) reply.cut()
    else reply.end(clientApi.renderStreamError(failure, !reply.hasBody))
  }

  #toGone(usage: Usage | undefined): Delivery {
    const { reply, id } = this.#journal.context
    if (this.#input.departure.left_ms !== undefined)
      return { outcome: { usage, client_status: 499, ended_by: 'client-disconnected' }, finish: () => reply.cut() }
    const stopping = toClientError(new AppError('gateway.stopping'), id)
    return {
      outcome: { usage, client_status: 200, error_code: stopping.code, ended_by: 'gateway-failed' },
      finish: () => this.#tell(stopping),
    }
  }

  /** What upstream reported, else what was counted; undefined: nothing is owed. */
  #usage(end: End): Usage | undefined {
    const { facts, isDone } = this.usageReader
    // Upstream had begun and worked for a client that left: the prompt is owed, though no word came yet.
    const isAbandoned = end === 'stopped' && this.#input.departure.left_ms !== undefined && facts.hasBegun
    const isOwed = finalUsage(facts, isDone) !== undefined || facts.hasContent || isAbandoned
    return isOwed ? usageOf(facts, this.#known(), isDone) : undefined
  }

  #known() {
    return { model: this.#journal.upstream_model, prompt_tokens: this.#journal.costEstimate.prompt_tokens }
  }

  #failure(end: StreamEnding, error: OutboundError | undefined): ClientError | undefined {
    const { id } = this.#journal.context
    const { failure, hasContent, unreadable } = this.usageReader.facts
    if (failure !== undefined) {
      const { message, type, code } = openAiErrorOf(failure)
      const text = withRequestId(message, id)
      return { status: 200, type, code: String(code ?? 'upstream_error'), message: text, param: '', upstream_body: failure.body }
    }
    if (end === 'cut') return toClientError(new AppError(error?.failure === 'timeout' ? 'upstream.timeout' : 'upstream.cut'), id)
    if (!hasContent && unreadable > 0) return toClientError(new AppError('upstream.malformed'), id)
    return undefined
  }
}
