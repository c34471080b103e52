import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { JsonDepth } from '../../json-depth.ts'
import { UNSIGNED, wrapProof } from '../../proof.ts'
import type { Finish } from '../../answer-facts.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { Warnings } from '../../../warnings.ts'
import { toToolId } from './encode-parts.ts'
import { stopReasonOf } from './stop-reason.ts'
import { toAnthropicUsage } from './usage.ts'

const BY = 'anthropic-messages'

type Call = {
  readonly index: number
  readonly id: string
  readonly name: string
  /** Gemini's proof of the call: a block before it. */
  readonly signature: string | undefined
  readonly depth: JsonDepth
  waiting: string
}
type Open =
  | { readonly kind: 'text' | 'refusal' | 'whole' }
  | { readonly kind: 'thinking'; isSigned: boolean }
  | { readonly kind: 'call'; readonly call: Call }

/**
 * Writes events as events of a Messages stream, in whatever order they arrive: one block is open at a time, indexes rise by one, and
 * every block is closed. A call that starts while the arguments of another are incomplete is queued with its arguments. Arguments that
 * arrive after their block was closed are dropped with a warning.
 *
 * Reasoning of other vendors becomes a thinking block whose signature carries the vendor's proof, because clients' types require the field
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking). The vendor gets its proof back when the client returns the
 * block; `encodePassThrough` removes it for Anthropic.
 */
export class MessageWriter {
  readonly #input: AnswerInput
  readonly #warnings = new Warnings()
  readonly #calls = new Map<number, Call>()
  readonly #queue: Call[] = []
  #hasStarted = false
  #next = 0
  #open: Open | undefined
  #finish: Finish | undefined
  #stopSequence: string | undefined
  #isRefused = false

  constructor(input: AnswerInput) {
    this.#input = input
  }

  get warnings(): readonly string[] {
    return this.#warnings.entries
  }

  push(event: ModelEvent): JsonObject[] {
    switch (event.kind) {
      case 'start':
        return this.#start(event.id, event.usage)
      case 'text':
      case 'refusal':
        this.#isRefused ||= event.kind === 'refusal' && event.text !== ''
        return event.text === '' ? [] : this.#text({ type: 'text_delta', text: event.text }, event.kind)
      case 'reasoning':
        return event.text === '' ? [] : this.#thinking({ type: 'thinking_delta', thinking: event.text })
      case 'reasoning-signature':
        return this.#sign(event.by === BY ? event.signature : wrapProof({ by: event.by, kind: 'signature', data: event.signature }))
      case 'redacted-reasoning':
        return this.#redacted(event.by === BY ? event.data : wrapProof({ by: event.by, kind: 'redacted', data: event.data }))
      case 'block-break':
        return this.#open?.kind === 'call' ? [] : this.#close()
      case 'tool-call':
        return this.#beginCall(event)
      case 'tool-arguments':
        return this.#growCall(event.index, event.text)
      case 'audio':
        this.#warn('audio')
        return event.transcript === undefined || event.transcript === '' ? [] : this.#text({ type: 'text_delta', text: event.transcript })
      case 'citation':
        return isCitation(event.raw) ? this.#text({ type: 'citations_delta', citation: event.raw }) : this.#warn('citation')
      case 'vendor-specific':
        return event.by === BY ? this.#vendorBlock(event.raw) : this.#warn(event.type)
      case 'finish':
        this.#finish ??= event.finish
        this.#stopSequence ??= event.stop_sequence
        return this.#close()
      case 'image':
        return this.#warn('image')
      case 'usage':
      case 'failed':
        return []
    }
  }

  /** Everything that tells the client that the answer is complete. */
  end(usage: Usage): JsonObject[] {
    // OpenAI's models refuse in a field of the message and end with `stop`.
    const finish = this.#isRefused && (this.#finish === 'stop' || this.#finish === undefined) ? 'filter' : this.#finish
    const stop_reason = stopReasonOf(finish, this.#calls.size > 0, this.#stopSequence)
    const stop_sequence = stop_reason === 'stop_sequence' ? this.#stopSequence : null
    return [
      ...this.#start(undefined, undefined),
      ...this.#close(),
      { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details: null }, usage: toAnthropicUsage(usage) },
      { type: 'message_stop' },
    ]
  }

  #start(id: string | undefined, usage: Usage | undefined): JsonObject[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    const told = toAnthropicUsage(usage ?? { ...ZERO_USAGE, text_in: this.#input.prompt_tokens })
    const message = {
      id: id ?? this.#input.id,
      type: 'message',
      role: 'assistant',
      model: this.#input.model,
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: told,
    }
    return [{ type: 'message_start', message }]
  }

  #text(delta: JsonObject, kind: 'text' | 'refusal' = 'text'): JsonObject[] {
    if (this.#open?.kind === kind) return [this.#delta(delta)]
    return [...this.#begin({ kind }, { type: 'text', text: '' }), this.#delta(delta)]
  }

  #thinking(delta: JsonObject): JsonObject[] {
    if (this.#open?.kind === 'thinking' && !this.#open.isSigned) return [this.#delta(delta)]
    const block = { type: 'thinking', thinking: '', signature: '' }
    return [...this.#begin({ kind: 'thinking', isSigned: false }, block), this.#delta(delta)]
  }

  #sign(signature: string): JsonObject[] {
    const events = this.#thinking({ type: 'signature_delta', signature })
    if (this.#open?.kind === 'thinking') this.#open.isSigned = true
    return events
  }

  #redacted(data: string): JsonObject[] {
    return this.#whole({ type: 'redacted_thinking', data })
  }

  /** A block that is complete when it starts. */
  #whole(block: JsonObject): JsonObject[] {
    const begun = this.#begin({ kind: 'whole' }, block)
    return [...begun, ...this.#close()]
  }

  /** Sends the input of a server tool after its block starts, as the vendor does. */
  #vendorBlock(block: JsonObject): JsonObject[] {
    const { input } = block
    if (!isObject(input)) return this.#whole(block)
    const begun = this.#begin({ kind: 'whole' }, { ...block, input: {} })
    return [...begun, this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }), ...this.#close()]
  }

  #beginCall({ index, id, name, signature }: Extract<ModelEvent, { kind: 'tool-call' }>): JsonObject[] {
    if (this.#calls.has(index) || this.#finish !== undefined) return []
    const call: Call = { index, id: toToolId(id), name, signature, depth: new JsonDepth(), waiting: '' }
    this.#calls.set(index, call)
    const isBusy = this.#open?.kind === 'call' && !this.#open.call.depth.isWhole
    if (!isBusy) return this.#beginBlockOf(call)
    this.#queue.push(call)
    return []
  }

  #growCall(index: number, text: string): JsonObject[] {
    const call = this.#calls.get(index)
    if (text === '') return []
    if (call !== undefined && this.#open?.kind === 'call' && this.#open.call === call) {
      const grown = [this.#grow(call, text)]
      return call.depth.isWhole && this.#queue.length > 0 ? [...grown, ...this.#drain(false)] : grown
    }
    if (call === undefined || !this.#queue.includes(call)) return this.#warn('tool_arguments')
    call.waiting += text
    return []
  }

  /** Starts queued calls while each is complete; `isLast`: starts all of them, because nothing more will arrive. */
  #drain(isLast: boolean): JsonObject[] {
    const events: JsonObject[] = []
    let isFree = true
    while (isFree) {
      const call = this.#queue.shift()
      if (call === undefined) return events
      events.push(...this.#beginBlockOf(call))
      if (call.waiting !== '') events.push(this.#grow(call, call.waiting))
      call.waiting = ''
      isFree = isLast || call.depth.isWhole
    }
    return events
  }

  #beginBlockOf(call: Call): JsonObject[] {
    const block = { type: 'tool_use', id: call.id, name: call.name, input: {} }
    const { signature } = call
    const closed = this.#closeOne()
    const proof = signature === undefined ? [] : this.#proveCall(signature)
    return [...closed, ...proof, this.#beginBlock({ kind: 'call', call }, block)]
  }

  #proveCall(data: string): JsonObject[] {
    const block = { type: 'redacted_thinking', data: wrapProof({ by: 'gemini', kind: 'call', data }) }
    return [this.#beginBlock({ kind: 'whole' }, block), ...this.#closeOne()]
  }

  #grow(call: Call, text: string): JsonObject {
    call.depth.push(text)
    return this.#delta({ type: 'input_json_delta', partial_json: text })
  }

  #begin(open: Open, block: JsonObject): JsonObject[] {
    return [...this.#start(undefined, undefined), ...this.#close(), this.#beginBlock(open, block)]
  }

  #beginBlock(open: Open, content_block: JsonObject): JsonObject {
    this.#open = open
    return { type: 'content_block_start', index: this.#next, content_block }
  }

  #delta(delta: JsonObject): JsonObject {
    return { type: 'content_block_delta', index: this.#next, delta }
  }

  /** Closes the open block and every queued call, because content of another kind follows. */
  #close(): JsonObject[] {
    return this.#queue.length === 0 ? this.#closeOne() : [...this.#drain(true), ...this.#closeOne()]
  }

  #closeOne(): JsonObject[] {
    const open = this.#open
    if (open === undefined) return this.#start(undefined, undefined)
    const signed = open.kind === 'thinking' && !open.isSigned ? [this.#delta({ type: 'signature_delta', signature: UNSIGNED })] : []
    this.#open = undefined
    const index = this.#next
    this.#next += 1
    return [...signed, { type: 'content_block_stop', index }]
  }

  #warn(word: string): JsonObject[] {
    this.#warnings.add(word)
    return []
  }
}

const CITATIONS = new Set([
  'char_location',
  'page_location',
  'content_block_location',
  'web_search_result_location',
  'search_result_location',
])
const isCitation = (raw: JsonObject) => CITATIONS.has(textAt(raw, 'type') ?? '')
