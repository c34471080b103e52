import { AppError } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/quote'
import type { OutboundError } from '@tollgate/outbound/errors'
import { openAiErrorOf } from '@tollgate/providers/dialects/openai-chat/errors'
import type { AnswerStream, StreamEnding } from '@tollgate/providers/conversation/stream'
import { toClientError, withRequestId, type ClientError } from '../client-error.ts'
import type { Departure } from '../departure.ts'
import type { Delivery } from './delivery.ts'
import type { StreamAnswer } from './dispatch.ts'
import { estimateStream } from './estimate.ts'
import type { Journal } from './journal.ts'
import { beginEventStream, type Pinger } from './event-stream.ts'
import type { BodyReader } from './upstream-answer.ts'

type Input = {
  readonly dispatched: StreamAnswer
  readonly departure: Departure
  readonly pinger: Pinger | undefined
  readonly writeStallMs: number
  /** How the beat asks for progress from here on. */
  readonly onTap: (tap: AnswerStream) => void
}

/**
 * Same dialect in and out: upstream's bytes go on as they come, one write per chunk, with usage and delivered content counted
 * beside them. Resolves when nothing more comes; the end marker waits for the settlement.
 */
export function deliverStream(journal: Journal, input: Input): Promise<Delivery> {
  journal.visit.clock.enter('deliver')
  journal.is_stream = true
  beginEventStream(journal.visit.reply)
  return new Promise((resolve) => {
    const stream = new StreamDelivery(journal, input, resolve)
    input.onTap(stream.tap)
    stream.begin(input.dispatched.opened.first)
    input.dispatched.answer.readWith(stream)
  })
}

type End = StreamEnding | 'gone'

class StreamDelivery implements BodyReader {
  readonly tap: AnswerStream
  readonly #journal: Journal
  readonly #input: Input
  readonly #resolve: (delivery: Delivery) => void
  #stall: NodeJS.Timeout | undefined
  #drainCap: NodeJS.Timeout | undefined
  #isWaiting = false
  #isOver = false
  #isDraining = false

  constructor(journal: Journal, input: Input, resolve: (delivery: Delivery) => void) {
    this.#journal = journal
    this.#input = input
    this.#resolve = resolve
    this.tap = input.dispatched.opened.tap
    journal.visit.reply.onDrain(() => this.#onDrain())
    input.departure.follow(() => this.#onGone())
    if (input.departure.isGone) queueMicrotask(() => this.#onGone())
  }

  /** Gives the client the piece that the stream was opened with. */
  begin(first: Buffer): void {
    this.#forward(first)
  }

  onData(chunk: Buffer): void {
    if (!this.#isOver) this.#forward(this.tap.push(chunk))
  }

  #forward(piece: Buffer): void {
    if (this.#journal.first_token_ms < 0 && this.tap.facts.hasContent) this.#journal.first_token_ms = this.#journal.visit.clock.elapsed()
    if (piece.length > 0 && !this.#isDraining) this.#write(piece)
    if (this.tap.facts.failure !== undefined) this.#close()
    else if (this.tap.isDone) this.#close()
  }

  onEnd(): void {
    if (!this.#isOver) this.#close()
  }

  onError(error: OutboundError): void {
    if (!this.#isOver) this.#close(error)
  }

  #write(piece: Buffer): void {
    this.#input.pinger?.note(piece)
    if (this.#journal.visit.reply.write(piece) || this.#isWaiting) return
    this.#isWaiting = true
    this.#input.dispatched.sending.pause()
    this.#stall = setTimeout(() => this.#journal.visit.reply.cut(), this.#input.writeStallMs)
  }

  #onDrain(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    clearTimeout(this.#stall)
    this.#input.dispatched.sending.resume()
  }

  /** The client left: by default the vendor is stopped at once; `drain` reads on for the usage, for a limited time. */
  #onGone(): void {
    if (this.#isOver) return
    const setting = this.#journal.channel?.setting ?? {}
    if (setting['client_gone'] !== 'drain' || this.#input.departure.isStopping) {
      this.#finish('gone')
      this.#input.dispatched.sending.abort()
      return
    }
    this.#isDraining = true
    this.#onDrain()
    const seconds = typeof setting['drain_seconds'] === 'number' ? setting['drain_seconds'] : DRAIN_SECONDS
    this.#drainCap = setTimeout(() => {
      this.#finish('gone')
      this.#input.dispatched.sending.abort()
    }, seconds * 1000)
  }

  #close(error?: OutboundError): void {
    const { rest, ending } = this.tap.close()
    if (rest.length > 0 && !this.#isDraining) this.#journal.visit.reply.write(rest)
    this.#finish(this.#isDraining ? 'gone' : ending, error)
    if (ending === 'failed') this.#input.dispatched.sending.abort()
  }

  #finish(end: End, error?: OutboundError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#stall)
    clearTimeout(this.#drainCap)
    this.#input.departure.follow(undefined)
    this.#input.pinger?.stop()
    this.#resolve(this.#toDelivery(end, error))
  }

  #toDelivery(end: End, error: OutboundError | undefined): Delivery {
    const { reply } = this.#journal.visit
    const usage = this.#usage()
    this.#journal.raw_usage = this.tap.facts.raw_usage
    const attempt = this.#journal.attempts.at(-1)
    if (attempt !== undefined) attempt.ended_ms = this.#journal.visit.clock.elapsed()
    if (end === 'gone') return this.#toGone(usage)
    const failure = this.#failure(end, error)
    if (failure === undefined) {
      const closing = this.tap.closing(usage ?? estimateStream(this.tap.facts, this.#known()))
      return { outcome: { usage, client_status: 200, ended_by: 'complete' }, finish: () => reply.end(closing) }
    }
    return {
      outcome: { usage, client_status: 200, error_code: failure.code, error_message: failure.message, ended_by: 'upstream-failed' },
      finish: () => reply.end(this.#journal.visit.surface.renderStreamError(failure)),
    }
  }

  #toGone(usage: Usage | undefined): Delivery {
    const { reply, surface, id } = this.#journal.visit
    if (!this.#input.departure.isStopping)
      return { outcome: { usage, client_status: 499, ended_by: 'client-gone' }, finish: () => reply.cut() }
    const stopping = toClientError(new AppError('gateway.stopping'), id)
    return {
      outcome: { usage, client_status: 200, error_code: stopping.code, ended_by: 'gateway-failed' },
      finish: () => reply.end(surface.renderStreamError(stopping)),
    }
  }

  /** What upstream reported, else what was delivered; undefined when nothing was. */
  #usage(): Usage | undefined {
    const { facts } = this.tap
    if (facts.usage !== undefined) return facts.usage
    return facts.hasContent ? estimateStream(facts, this.#known()) : undefined
  }

  #known() {
    return { model: this.#journal.upstream_model, prompt_tokens: this.#journal.offer.prompt_tokens }
  }

  #failure(end: StreamEnding, error: OutboundError | undefined): ClientError | undefined {
    const { id } = this.#journal.visit
    const { failure, hasContent, unreadable } = this.tap.facts
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

const DRAIN_SECONDS = 60
