import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput, RenderedError, StreamEncoder } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import type { JsonObject } from '../../../json.ts'
import { toStreamError } from './errors.ts'
import { OutputWriter } from './output-writer.ts'
import { toResponseId } from './own-ids.ts'
import { toResponse, type Outcome } from './response-object.ts'
import { toResponsesUsage } from './usage.ts'

/**
 * Encodes events as the stream of a response, with every event that strict clients expect. Unlike other formats it repeats the whole
 * answer in its last events, so the answer is kept, within `TextBudget`.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export function createResponsesEncoder(input: AnswerInput): StreamEncoder {
  return new ResponsesEncoder(input)
}

/** Encodes events as one answer with the same items. The last usage counts. */
export function encodeResponsesAnswer(
  events: readonly ModelEvent[],
  input: AnswerInput,
): { body: JsonObject; warnings: readonly string[] } {
  const writer = new OutputWriter(input, () => undefined)
  let usage: Usage | undefined
  for (const event of events) {
    if (event.kind === 'usage') usage = event.usage
    writer.write(event)
  }
  const outcome = writer.finish()
  const told = usage === undefined ? {} : { usage: toResponsesUsage(usage) }
  return {
    body: toResponse(toResponseId(input), input, outcome, { output: writer.output, ...told }),
    warnings: writer.warnings.entries,
  }
}

class ResponsesEncoder implements StreamEncoder {
  readonly #input: AnswerInput
  readonly #writer: OutputWriter
  readonly #id: string
  #number = 0
  #pending = ''
  #hasBegun = false
  #response: JsonObject | undefined

  constructor(input: AnswerInput) {
    this.#input = input
    this.#id = toResponseId(input)
    this.#writer = new OutputWriter(input, (event) => this.#emit(event))
  }

  get warnings(): readonly string[] {
    return this.#writer.warnings.entries
  }

  get answer(): JsonObject | undefined {
    return this.#response
  }

  push(event: ModelEvent): string {
    if (event.kind === 'failed') return ''
    if (event.kind !== 'usage') this.#begin()
    this.#writer.write(event)
    return this.#take()
  }

  closing(usage: Usage): string {
    this.#begin()
    const outcome = this.#writer.finish()
    const rest = { output: this.#writer.output, usage: toResponsesUsage(usage) }
    this.#response = toResponse(this.#id, this.#input, outcome, rest)
    this.#emit({ type: `response.${outcome.status}`, response: this.#response })
    return this.#take()
  }

  /** Clients accept no event before `response.created`. */
  keepAlive(): string | undefined {
    if (!this.#hasBegun) return undefined
    this.#emit({ type: 'keepalive' })
    return this.#take()
  }

  /** Items that are open stay so: a client runs a call once it is closed, and its arguments may be cut off. */
  renderError(failure: RenderedError): string {
    const { event, error } = toStreamError(failure)
    this.#emit(event)
    const response = toResponse(this.#id, this.#input, FAILED, { output: this.#writer.output, error })
    this.#emit({ type: 'response.failed', response })
    return this.#take()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const response = toResponse(this.#id, this.#input, BEGUN, {})
    this.#emit({ type: 'response.created', response })
    this.#emit({ type: 'response.in_progress', response })
  }

  #emit(event: JsonObject & { readonly type: string }): void {
    const head = `{"type":"${event.type}"`
    // The sequence number follows the type, which is first in every event.
    const rest = JSON.stringify(event).slice(head.length)
    this.#pending += `event: ${event.type}\ndata: ${head},"sequence_number":${this.#number}${rest}\n\n`
    this.#number += 1
  }

  #take(): string {
    const taken = this.#pending
    this.#pending = ''
    return taken
  }
}

const BEGUN: Outcome = { status: 'in_progress' }
const FAILED: Outcome = { status: 'failed' }
