import { argumentsOf } from '../../call-arguments.ts'
import type { ModelEvent } from '../../events.ts'
import type { Finish } from '../../answer-facts.ts'
import { parseJsonObject, type JsonObject } from '../../../json.ts'
import { toGrounding } from './citations.ts'
import { Warnings } from '../../../warnings.ts'
import { toFinishReason } from './response.ts'
import { encodeProof } from './signature.ts'

type Call = { readonly id: string; readonly name: string; readonly signature: string | undefined; text: string }
type Citation = Extract<ModelEvent, { kind: 'citation' }>

const MAX_CITATIONS = 64

/**
 * Converts events to parts of a candidate. A call is held back until its arguments are complete, because a part has all of them or none,
 * and until something else follows it: of calls in chunks of their own, Semantic Kernel runs only the last. Calls keep their order. Nothing
 * follows a finish or a failure.
 */
export class AnswerParts {
  readonly warnings = new Warnings()
  id: string | undefined
  #finish: Finish | undefined
  #isOver = false
  #isRefused = false
  /** The tool of a call that was left out, because its arguments are no object. */
  #broken: string | undefined
  readonly #calls = new Map<number, Call>()
  /** Whole calls that wait for those beside them. */
  readonly #held: JsonObject[] = []
  readonly #citations: Citation[] = []

  /** The parts that can be sent now. */
  read(event: ModelEvent): JsonObject[] {
    if (this.#isOver) return []
    switch (event.kind) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.#readText(event)
      case 'reasoning-signature':
        return [proof(encodeProof({ kind: 'signature', by: event.by, text: event.signature }))]
      case 'redacted-reasoning':
        return [proof(encodeProof({ kind: 'redacted', by: event.by, text: event.data }))]
      case 'tool-call':
      case 'tool-arguments':
        return this.#readCall(event)
      case 'image':
        return [...this.#whole(), { inlineData: { mimeType: event.media_type, data: event.data } }]
      case 'audio':
        return [...this.#whole(), ...audioParts(event)]
      case 'vendor-specific':
        return this.#readVendorSpecific(event)
      default:
        this.#note(event)
        return []
    }
  }

  /** The remaining parts at the end of the answer; calls whose arguments are no object are left out, and `ending` says so. */
  rest(): JsonObject[] {
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    return [...this.#held.splice(0), ...calls.flatMap((call) => this.#toPart(call))]
  }

  /** The fields of a candidate at the end of the answer. */
  ending(): JsonObject {
    return {
      ...this.#reason(),
      index: 0,
      ...(this.#citations.length === 0 ? {} : { groundingMetadata: toGrounding(this.#citations) }),
    }
  }

  #reason(): JsonObject {
    // OpenAI's models refuse in a field of the message and end with `stop`.
    const finish = this.#isRefused && this.#finish === 'stop' ? 'filter' : (this.#finish ?? 'stop')
    if (this.#broken === undefined || (finish !== 'stop' && finish !== 'tools')) return { finishReason: toFinishReason(finish) }
    return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed function call: ${this.#broken}` }
  }

  #note(event: Extract<ModelEvent, { kind: 'start' | 'block-break' | 'citation' | 'usage' | 'finish' | 'failed' }>): void {
    if (event.kind === 'start') this.id = event.id ?? this.id
    if (event.kind === 'finish') this.#finish = event.finish
    if (event.kind === 'finish' && event.stop_sequence !== undefined) this.warnings.add('stop_sequence')
    if (event.kind === 'finish' || event.kind === 'failed') this.#isOver = true
    if (event.kind === 'citation') this.#cite(event)
  }

  #cite(citation: Citation): void {
    if (citation.url === undefined || this.#citations.length === MAX_CITATIONS) this.warnings.add('citation')
    else this.#citations.push({ ...citation, raw: {} })
  }

  #readText({ kind, text }: Extract<ModelEvent, { kind: 'text' | 'reasoning' | 'refusal' }>): JsonObject[] {
    if (text === '') return []
    this.#isRefused ||= kind === 'refusal'
    if (kind === 'refusal') this.warnings.add('refusal')
    const part = kind === 'reasoning' ? { text, thought: true } : { text }
    return [...this.#whole(), part]
  }

  #readCall(event: Extract<ModelEvent, { kind: 'tool-call' | 'tool-arguments' }>): JsonObject[] {
    const call = this.#calls.get(event.index)
    if (event.kind === 'tool-arguments') {
      if (call === undefined) this.warnings.add('tool_call.arguments')
      else call.text += event.text
      return []
    }
    this.#hold()
    const again = this.#calls.get(event.index)
    if (again !== undefined) {
      this.#calls.delete(event.index)
      this.#held.push(...this.#toPart(again))
    }
    this.#calls.set(event.index, { id: event.id, name: event.name, signature: event.signature, text: '' })
    return []
  }

  #readVendorSpecific({ by, type, raw }: Extract<ModelEvent, { kind: 'vendor-specific' }>): JsonObject[] {
    if (by === 'gemini' && Object.keys(raw).length > 0) return [...this.#whole(), raw]
    this.warnings.add(`event.${type}`)
    return []
  }

  #whole(): JsonObject[] {
    this.#hold()
    return this.#held.splice(0)
  }

  /** Holds the calls whose arguments are complete, up to the first that is not. */
  #hold(): void {
    for (const [index, call] of this.#calls) {
      if (!isWhole(call.text)) break
      this.#calls.delete(index)
      this.#held.push(...this.#toPart(call))
    }
  }

  #toPart({ id, name, signature, text }: Call): JsonObject[] {
    const args = argumentsOf(text)
    if (args !== undefined)
      return [{ functionCall: { id, name, args }, ...(signature === undefined ? {} : { thoughtSignature: signature }) }]
    this.#broken ??= name
    this.warnings.add('tool_call.arguments')
    return []
  }
}

const proof = (thoughtSignature: string): JsonObject => ({ text: '', thought: true, thoughtSignature })

function isWhole(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseJsonObject(text) !== undefined
}

/** The first characters of audio formats in base64. */
const AUDIO_TYPES = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mpeg'],
  ['//', 'audio/mpeg'],
  ['T2dn', 'audio/ogg'],
  ['ZkxhQ', 'audio/flac'],
] as const
/** The type Google uses for raw samples: https://ai.google.dev/gemini-api/docs/speech-generation */
const RAW_AUDIO_TYPE = 'audio/L16;codec=pcm;rate=24000'

function audioParts({ data, transcript = '' }: Extract<ModelEvent, { kind: 'audio' }>): JsonObject[] {
  const type = AUDIO_TYPES.find(([head]) => data.startsWith(head))?.[1] ?? RAW_AUDIO_TYPE
  return [...(transcript === '' ? [] : [{ text: transcript }]), ...(data === '' ? [] : [{ inlineData: { mimeType: type, data } }])]
}
