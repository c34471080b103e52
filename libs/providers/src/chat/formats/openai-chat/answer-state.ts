import type { AnswerInput } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import type { Finish } from '../../answer-facts.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { Warnings } from '../../../warnings.ts'
import { toDataUrl } from './data-url.ts'
import { inputOf } from './encode-messages.ts'
import { writeCallProof, writeReasoning } from './reasoning-field.ts'

/** The fields of a body that decide how calls are sent to the client: the older functions, and tools that take free text. */
export function answerSettings({ tools, functions }: JsonObject): JsonObject {
  const custom = Array.isArray(tools) ? tools.filter((tool) => isObject(tool) && isObject(tool['custom'])) : []
  if (custom.length > 0) return { tools: custom }
  return Array.isArray(functions) && !Array.isArray(tools) ? { functions: [] } : {}
}

/** One call as sent to the client. `index` is the client's own count. */
type OpenCall = { readonly index: number; readonly isCustom: boolean; held: string }

/**
 * Converts events of any format to deltas of a chat message, one by one: the part that streams and whole answers share. Every delta is
 * valid in whatever order events arrive; what the format cannot express gives a warning.
 */
export class AnswerState {
  readonly warnings = new Warnings()
  id: string
  readonly #input: AnswerInput
  readonly #custom: ReadonlySet<string>
  readonly #isLegacy: boolean
  readonly #calls = new Map<number, OpenCall>()
  #finish: Finish | undefined
  #isOver = false
  /** Characters of content so far, and where the current block started: the positions that citations refer to. */
  #length = 0
  #blockStart = 0
  #hasReasoning = false
  #isBroken = false

  constructor(input: AnswerInput) {
    this.#input = input
    this.id = input.id
    const tools: readonly unknown[] = Array.isArray(input.body['tools']) ? input.body['tools'] : []
    this.#custom = new Set(tools.flatMap((tool) => (isObject(tool) ? (textAt(tool['custom'], 'name') ?? []) : [])))
    this.#isLegacy = tools.length === 0 && Array.isArray(input.body['functions'])
  }

  /** The event's addition to the message; `undefined` if nothing. */
  deltaOf(event: ModelEvent): JsonObject | undefined {
    if (this.#isOver) return this.#lateOf(event)
    switch (event.kind) {
      case 'start':
        if (event.id !== undefined && event.id !== '') this.id = event.id
        return undefined
      case 'text':
        return this.#text(event.text)
      case 'reasoning':
        return this.#reasoning(event.text)
      case 'refusal':
        return { refusal: event.text }
      case 'tool-call':
        return this.#openCall(event)
      case 'tool-arguments':
        return this.#addArguments(event.index, event.text)
      case 'image':
        // The format has no field for images; clients of gateways render markdown images in the text.
        return this.#text(`![image](${toDataUrl(event)})`)
      case 'audio':
        return { audio: this.#audioOf(event) }
      case 'citation':
        return this.#citation(event)
      case 'block-break':
        this.#isBroken = this.#hasReasoning
        this.#blockStart = this.#length
        return undefined
      case 'finish':
        if (event.stop_sequence !== undefined) this.warnings.add('stop_sequence')
        this.#finish = event.finish
        this.#isOver = true
        return undefined
      case 'vendor-specific':
        if (event.by === 'openai-chat') return undefined
        this.warnings.add(event.type)
        return undefined
      case 'reasoning-signature':
      case 'redacted-reasoning':
        this.warnings.add(event.kind)
        return undefined
      case 'usage':
        return undefined
      case 'failed':
        this.#isOver = true
        return undefined
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** `finish_reason` depends on whether the answer has calls, because vendors do not report it reliably. */
  get finishReason(): string {
    if (this.#finish === 'length' || this.#finish === 'other') return 'length'
    if (this.#finish === 'filter') return 'content_filter'
    if (this.#calls.size === 0) return 'stop'
    return this.#isLegacy ? 'function_call' : 'tool_calls'
  }

  /** Deltas of custom tool calls, whose free text is held back until it is complete. */
  takeHeld(): JsonObject[] {
    const deltas: JsonObject[] = []
    for (const call of this.#calls.values()) {
      if (call.isCustom && call.held !== '') deltas.push({ tool_calls: [{ index: call.index, custom: { input: inputOf(call.held) } }] })
      call.held = ''
    }
    return deltas
  }

  #lateOf({ kind }: ModelEvent): undefined {
    if (kind !== 'usage' && kind !== 'finish' && kind !== 'failed') this.warnings.add(`${kind} after the end`)
    return undefined
  }

  #text(text: string): JsonObject | undefined {
    this.#length += text.length
    this.#isBroken = false
    return text === '' ? undefined : { content: text }
  }

  /** A second summary starts a new paragraph. */
  #reasoning(text: string): JsonObject | undefined {
    if (text === '') return undefined
    const paragraph = this.#isBroken ? `\n\n${text}` : text
    this.#hasReasoning = true
    this.#isBroken = false
    return writeReasoning(paragraph)
  }

  #openCall({ index, id, name, signature }: Extract<ModelEvent, { kind: 'tool-call' }>): JsonObject | undefined {
    if (this.#calls.has(index)) return undefined
    const call = { index: this.#calls.size, isCustom: this.#custom.has(name), held: '' }
    this.#calls.set(index, call)
    if (!this.#isLegacy) {
      const begun = call.isCustom
        ? { type: 'custom', custom: { name, input: '' } }
        : { type: 'function', function: { name, arguments: '' } }
      return { tool_calls: [{ index: call.index, id, ...begun, ...writeCallProof(signature) }] }
    }
    if (call.index === 0) return { function_call: { name, arguments: '' } }
    this.warnings.add('second function call')
    return undefined
  }

  #addArguments(index: number, text: string): JsonObject | undefined {
    const call = this.#calls.get(index)
    if (call === undefined) this.warnings.add('arguments without a call')
    if (call === undefined || text === '') return undefined
    if (call.isCustom) {
      call.held += text
      return undefined
    }
    if (!this.#isLegacy) return { tool_calls: [{ index: call.index, function: { arguments: text } }] }
    return call.index === 0 ? { function_call: { arguments: text } } : undefined
  }

  #audioOf({ data, transcript, id }: Extract<ModelEvent, { kind: 'audio' }>): JsonObject {
    return {
      ...(id === undefined ? {} : { id, expires_at: this.#input.created + AUDIO_SECONDS }),
      ...(data === '' ? {} : { data }),
      ...(transcript === undefined ? {} : { transcript }),
    }
  }

  #citation({ url, title, raw }: Extract<ModelEvent, { kind: 'citation' }>): JsonObject | undefined {
    if (raw['type'] === 'url_citation' && isObject(raw['url_citation'])) return { annotations: [raw] }
    if (url === undefined) this.warnings.add('citation without an address')
    if (url === undefined) return undefined
    const place = { start_index: this.#blockStart, end_index: this.#length }
    return { annotations: [{ type: 'url_citation', url_citation: { url, title: title ?? url, ...place } }] }
  }
}

/** How long OpenAI keeps the audio of an answer for later turns; audio of other vendors cannot be referenced. */
const AUDIO_SECONDS = 3600
