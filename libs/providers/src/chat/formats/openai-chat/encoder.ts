import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput, StreamEncoder } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { isLogprobs } from '../../logprobs.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { AnswerState } from './answer-state.ts'
import { REASONING_FIELD, writeReasoning } from './reasoning-field.ts'
import { toOpenAiUsage } from './usage.ts'

/**
 * Encodes events as chunks: the role first, one delta per event, the finish as soon as it is known, usage and end marker after
 * settlement. The output is well-formed in whatever order events arrive.
 */
export function createChatEncoder(input: AnswerInput): StreamEncoder {
  return new ChatEncoder(input)
}

class ChatEncoder implements StreamEncoder {
  readonly #input: AnswerInput
  readonly #state: AnswerState
  #frame: DeltaFrame | undefined
  #hasRole = false
  #hasFinished = false

  constructor(input: AnswerInput) {
    this.#input = input
    this.#state = new AnswerState(input)
  }

  get warnings(): readonly string[] {
    return this.#state.warnings.entries
  }

  push(event: ModelEvent): string {
    const delta = this.#state.deltaOf(event)
    if (event.kind === 'failed') return ''
    const shown = delta === undefined ? '' : this.#delta(delta)
    const logprobs = isLogprobs(event) ? event.raw : undefined
    const extra = logprobs === undefined || this.#hasFinished ? '' : this.#role() + this.#chunk([{ ...choice({}), logprobs }])
    return (event.kind === 'start' ? this.#role() : '') + shown + extra + (event.kind === 'finish' ? this.#finish() : '')
  }

  closing(usage: Usage): string {
    const last = this.#input.include_usage ? this.#chunk([], { usage: toOpenAiUsage(usage) }) : ''
    return `${this.#finish()}${last}data: [DONE]\n\n`
  }

  #finish(): string {
    if (this.#hasFinished) return ''
    const role = this.#role()
    const held = this.#state.takeHeld().map((delta) => this.#delta(delta))
    this.#hasFinished = true
    return role + held.join('') + this.#chunk([choice({}, this.#state.finishReason)])
  }

  #role(): string {
    if (this.#hasRole) return ''
    this.#hasRole = true
    return this.#chunk([choice({ role: 'assistant', content: '' })])
  }

  #delta(delta: JsonObject): string {
    const { before, after } = this.#frameOf(this.#state.id)
    return `${this.#role()}${before}${JSON.stringify(delta)}${after}`
  }

  /** The constant text around a delta, written once. */
  #frameOf(id: string): DeltaFrame {
    if (this.#frame?.id !== id) {
      const [before = '', after = ''] = this.#chunk([choice({})]).split(EMPTY_DELTA)
      this.#frame = { id, before: `${before}"delta":`, after }
    }
    return this.#frame
  }

  #chunk(choices: readonly JsonObject[], more: JsonObject = {}): string {
    const { created, model, include_usage } = this.#input
    // As documented, every chunk has the key if usage was requested.
    const usage = include_usage ? { usage: null } : {}
    const head = { id: this.#state.id, object: 'chat.completion.chunk', created, model }
    return `data: ${JSON.stringify({ ...head, choices, ...usage, ...more })}\n\n`
  }
}

type DeltaFrame = { readonly id: string; readonly before: string; readonly after: string }
const EMPTY_DELTA = '"delta":{}'

const choice = (delta: JsonObject, finish_reason: string | null = null) => ({ index: 0, delta, logprobs: null, finish_reason })

/** Encodes events as one answer: the same deltas, merged. The last usage counts. */
export function encodeChatAnswer(events: readonly ModelEvent[], input: AnswerInput): { body: JsonObject; warnings: readonly string[] } {
  const state = new AnswerState(input)
  const message = new FoldedMessage()
  let usage: Usage | undefined
  const logprobs: JsonObject[] = []
  for (const event of events) {
    if (event.kind === 'usage') usage = event.usage
    if (isLogprobs(event)) logprobs.push(event.raw)
    message.add(state.deltaOf(event))
  }
  for (const delta of state.takeHeld()) message.add(delta)
  const chosen = { index: 0, message: message.toJson(), logprobs: foldLogprobs(logprobs), finish_reason: state.finishReason }
  const head = { id: state.id, object: 'chat.completion', created: input.created, model: input.model }
  const body = { ...head, choices: [chosen], ...(usage === undefined ? {} : { usage: toOpenAiUsage(usage) }) }
  return { body, warnings: state.warnings.entries }
}

/** A message merged from deltas. */
class FoldedMessage {
  readonly #texts = new Map<string, string[]>()
  readonly #annotations: unknown[] = []
  readonly #calls = new Map<number, JsonObject[]>()
  readonly #legacy: JsonObject[] = []
  #audio: JsonObject | undefined

  add(delta: JsonObject | undefined): void {
    if (delta === undefined) return
    for (const key of ['content', REASONING_FIELD, 'refusal']) {
      const text = textAt(delta, key)
      if (text !== undefined) pushAt(this.#texts, key, text)
    }
    if (Array.isArray(delta['annotations'])) this.#annotations.push(...delta['annotations'])
    if (isObject(delta['audio'])) this.#audio = foldTexts([this.#audio ?? {}, delta['audio']])
    if (isObject(delta['function_call'])) this.#legacy.push(delta['function_call'])
    for (const call of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) this.#addCall(call)
  }

  toJson(): JsonObject {
    const reasoning = this.#join(REASONING_FIELD)
    const hasCalls = this.#calls.size > 0 || this.#legacy.length > 0
    const content = this.#join('content')
    return {
      role: 'assistant',
      content:
        content === undefined && !hasCalls && this.#audio === undefined && this.#join('refusal') === undefined ? '' : (content ?? null),
      ...(reasoning === undefined ? {} : writeReasoning(reasoning)),
      refusal: this.#join('refusal') ?? null,
      annotations: this.#annotations,
      ...(this.#audio === undefined ? {} : { audio: { id: '', data: '', transcript: '', expires_at: 0, ...this.#audio } }),
      ...(this.#legacy.length === 0 ? {} : { function_call: foldTexts(this.#legacy) }),
      ...(this.#calls.size === 0 ? {} : { tool_calls: [...this.#calls.values()].map(foldCall) }),
    }
  }

  #addCall(call: unknown): void {
    if (!isObject(call)) return
    const { index, ...rest } = call
    pushAt(this.#calls, typeof index === 'number' ? index : 0, rest)
  }

  #join(key: string): string | undefined {
    return this.#texts.get(key)?.join('')
  }
}

function pushAt<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function foldCall(pieces: readonly JsonObject[]): JsonObject {
  const first = pieces[0] ?? {}
  const kind = isObject(first['custom']) ? 'custom' : 'function'
  return { ...first, [kind]: foldTexts(pieces.map((piece) => (isObject(piece[kind]) ? piece[kind] : {}))) }
}

/** Texts under one key are concatenated; of other values the last one counts; names and ids are sent once. */
function foldTexts(pieces: readonly JsonObject[]): JsonObject {
  const folded: Record<string, unknown> = {}
  for (const piece of pieces) {
    for (const [key, value] of Object.entries(piece)) {
      const before = folded[key]
      const grows = typeof before === 'string' && typeof value === 'string' && key !== 'id' && key !== 'name'
      folded[key] = grows ? before + value : value
    }
  }
  return folded
}

function foldLogprobs(list: readonly JsonObject[]): JsonObject | null {
  if (list.length === 0) return null
  const all = (key: string) => {
    const found = list.flatMap((one) => (Array.isArray(one[key]) ? one[key] : []))
    return found.length === 0 ? null : found
  }
  return { content: all('content'), refusal: all('refusal') }
}
