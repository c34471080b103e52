import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput, RenderedError, StreamEncoder } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { cachedTokensOf } from '../../../prompt-classes.ts'
import type { JsonObject } from '../../../json.ts'
import { AnswerParts } from '../gemini/answer-parts.ts'
import { toInteractionId } from './own-ids.ts'
import { repeatedFieldsOf } from './request.ts'
import { StepWriter, type StepEvent } from './step-writer.ts'

/** The end marker of Google's stream. */
const DONE = 'event: done\ndata: [DONE]\n\n'

/** Encodes an answer as the stream of an interaction: its steps begin, grow and end. https://ai.google.dev/api/interactions-api */
export function createInteractionEncoder(input: AnswerInput): StreamEncoder {
  return new Encoder(input)
}

class Encoder implements StreamEncoder {
  readonly #input: AnswerInput
  readonly #parts = new AnswerParts()
  readonly #writer = new StepWriter()
  #number = 0
  #pending = ''
  #answer: JsonObject | undefined

  constructor(input: AnswerInput) {
    this.#input = input
  }

  get warnings(): readonly string[] {
    return this.#parts.warnings.entries
  }

  get answer(): JsonObject | undefined {
    return this.#answer
  }

  push(event: ModelEvent): string {
    if (event.kind !== 'failed' && event.kind !== 'usage') this.#begin()
    for (const part of this.#parts.read(event)) this.#emitAll(this.#writer.write(part))
    return this.#take()
  }

  closing(usage: Usage): string {
    this.#begin()
    for (const part of this.#parts.rest()) this.#emitAll(this.#writer.write(part))
    this.#emitAll(this.#writer.close())
    const outcome = outcomeOf(this.#parts, this.#writer)
    const whole = toInteraction(this.#input, { ...outcome, usage: toInteractionUsage(usage) })
    const { steps } = this.#writer
    this.#answer = steps === undefined ? undefined : { ...whole, output: steps }
    this.#emit({ event_type: 'interaction.completed', interaction: whole })
    return this.#take() + DONE
  }

  renderError(error: RenderedError): string {
    return renderInteractionStreamError(error)
  }

  #begin(): void {
    if (this.#number > 0) return
    this.#emit({ event_type: 'interaction.created', interaction: toInteraction(this.#input, { status: 'in_progress' }) })
  }

  #emitAll(events: readonly StepEvent[]): void {
    for (const event of events) this.#emit(event)
  }

  #emit(event: StepEvent): void {
    this.#number += 1
    this.#pending += frame({ ...event, event_id: `${toInteractionId(this.#input)}_${this.#number}` })
  }

  #take(): string {
    const taken = this.#pending
    this.#pending = ''
    return taken
  }
}

/** Encodes events as one interaction. The last usage counts. */
export function encodeInteraction(events: readonly ModelEvent[], input: AnswerInput): { body: JsonObject; warnings: readonly string[] } {
  const [parts, writer] = [new AnswerParts(), new StepWriter()]
  let usage: Usage | undefined
  for (const event of events) {
    if (event.kind === 'usage') usage = event.usage
    for (const part of parts.read(event)) writer.write(part)
  }
  for (const part of parts.rest()) writer.write(part)
  const told = usage === undefined ? {} : { usage: toInteractionUsage(usage) }
  const body = toInteraction(input, { ...outcomeOf(parts, writer), steps: writer.steps ?? [], ...told })
  return { body, warnings: parts.warnings.entries }
}

/** The events of a whole interaction, for a client that reads it as a stream. */
export function replayInteraction({ steps, ...interaction }: JsonObject): string {
  const { id, created, model, object } = interaction
  const list: readonly unknown[] = Array.isArray(steps) ? steps : []
  const events: JsonObject[] = [
    { event_type: 'interaction.created', interaction: { id, created, model, object, status: 'in_progress' } },
    ...list.flatMap((step, index) => [
      { event_type: 'step.start', index, step },
      { event_type: 'step.stop', index },
    ]),
    { event_type: 'interaction.completed', interaction },
  ]
  return events.map((event, at) => frame({ ...event, event_id: `${String(id)}_${at + 1}` })).join('') + DONE
}

export function renderInteractionStreamError({ message, code, status }: RenderedError): string {
  return frame({ event_type: 'error', error: { code: code === '' ? String(status) : code, message } }) + DONE
}

const frame = (event: JsonObject): string => `event: ${String(event['event_type'])}\ndata: ${JSON.stringify(event)}\n\n`

function toInteraction(input: AnswerInput, rest: JsonObject): JsonObject {
  const time = new Date(input.created * 1000).toISOString()
  const { previous_interaction_id: _edited, ...repeated } = repeatedFieldsOf(input.body)
  const previous = input.state?.previous_response_id
  return {
    id: toInteractionId(input),
    object: 'interaction',
    model: input.model,
    created: time,
    updated: time,
    ...repeated,
    ...(previous === undefined ? {} : { previous_interaction_id: previous }),
    ...rest,
  }
}

const STATUS: Readonly<Record<string, string>> = { STOP: 'completed', MAX_TOKENS: 'incomplete' }

function outcomeOf(parts: AnswerParts, { hasCalls }: StepWriter): JsonObject {
  const { finishReason, finishMessage } = parts.ending()
  const reason = String(finishReason)
  const status = STATUS[reason]
  if (status === 'completed' && hasCalls) return { status: 'requires_action' }
  if (status !== undefined) return { status }
  const message = typeof finishMessage === 'string' ? finishMessage : `The model ended its answer: ${reason}.`
  return { status: 'failed', errors: [{ code: reason.toLowerCase(), message }] }
}

/** https://ai.google.dev/api/interactions-api#Resource:Interaction.Usage */
function toInteractionUsage(usage: Usage): JsonObject {
  const { prompt_tokens, completion_tokens, reasoning } = usage
  return {
    total_input_tokens: prompt_tokens,
    total_output_tokens: Math.max(completion_tokens - reasoning, 0),
    total_thought_tokens: reasoning,
    total_cached_tokens: cachedTokensOf(usage),
    total_tool_use_tokens: 0,
    total_tokens: prompt_tokens + completion_tokens,
  }
}
