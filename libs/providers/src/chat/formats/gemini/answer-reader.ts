import { argumentsText } from '../../call-arguments.ts'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { AnswerPurpose } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { failureInPassing, failureInTranslation, isContent, type End } from '../../ends.ts'
import { sha256 } from '../../sha256.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { citationsIn } from './citations.ts'
import { decodeGeminiError, errorIn } from './errors.ts'
import { readLogprobs } from './logprobs.ts'
import { blockReasonIn, candidatesIn, endOf, partsOf } from './response.ts'
import { decodeProof } from './signature.ts'
import { searchesIn, usageFromGemini } from './usage.ts'

/** Converts a parsed whole answer to events. With `pass-through` all candidates are read, and a blocked prompt is an answer. */
export function decodeGeminiAnswer(body: unknown, purpose: AnswerPurpose = 'translation'): ModelEvent[] {
  const reader = new AnswerReader(purpose)
  const chunks: readonly unknown[] = Array.isArray(body) ? body : [body]
  const events: ModelEvent[] = []
  for (const chunk of chunks) reader.read(chunk, events)
  return [...events, ...reader.end()]
}

/**
 * Reads the responses of one answer in order: those of a stream, or the only one. Google sends finish and usage before or beside the
 * last content, so `end` returns them.
 */
export class AnswerReader {
  readonly #purpose: AnswerPurpose
  #hasStarted = false
  #hasCandidate = false
  #hasFailed = false
  /** Id of the answer, as a part of the ids of its calls. */
  #id = ''
  #calls = 0
  #images = 0
  #searches = 0
  #blockReason: string | undefined
  #end: End | undefined
  #hasContent = false
  #hasText = false
  #usage: JsonObject | undefined

  constructor(purpose: AnswerPurpose = 'translation') {
    this.#purpose = purpose
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Google reported that the answer is complete. */
  get isFinished(): boolean {
    return this.#end !== undefined || this.#blockReason !== undefined
  }

  /** Adds the events of a response to `events`. */
  read(chunk: unknown, events: ModelEvent[]): void {
    if (this.#hasFailed) return
    if (errorIn(chunk) !== undefined || textAt(chunk, 'error') !== undefined) {
      events.push(this.#fail(decodeGeminiError(200, chunk)))
      return
    }
    const usage = isObject(chunk) ? chunk['usageMetadata'] : undefined
    if (isObject(usage)) this.#usage = usage
    this.#blockReason = blockReasonIn(chunk) ?? this.#blockReason
    const all = candidatesIn(chunk)
    const candidates = this.#purpose === 'pass-through' ? all : all.filter((one) => objectIndex(one) === 0).slice(0, 1)
    // Without a candidate the answer has not begun, so a blocked prompt can still be refused with its status.
    if (candidates.length === 0) return
    if (!this.#hasStarted) events.push(this.#start(chunk))
    this.#readCandidates(candidates, textAt(chunk, 'modelVersion'), events)
  }

  end(): ModelEvent[] {
    if (this.#hasFailed) return this.usageEvents()
    if (this.#blockReason !== undefined && this.#purpose === 'pass-through')
      return [{ kind: 'finish', finish: 'filter' }, ...this.usageEvents()]
    if (!this.#hasCandidate) return [this.#fail(this.#emptiness()), ...this.usageEvents()]
    if (this.#end === undefined) return this.usageEvents()
    const judge = this.#purpose === 'pass-through' ? failureInPassing : failureInTranslation
    const failure = judge(this.#end, this.#hasContent)
    // Usage is first, because nothing after a failure is read.
    if (failure !== undefined) return [...this.usageEvents(), this.#fail(failure)]
    const finish = this.#end.finish === 'stop' && this.#calls > 0 ? 'tools' : this.#end.finish
    const { unknown } = this.#end
    return [{ kind: 'finish', finish, ...(unknown === undefined ? {} : { unknown }) }, ...this.usageEvents()]
  }

  #start(chunk: unknown): ModelEvent {
    this.#hasStarted = true
    const id = textAt(chunk, 'responseId')
    this.#id = (id ?? '').replaceAll(/[^\w-]/g, '').slice(-40)
    const model = textAt(chunk, 'modelVersion')
    const usage = usageFromGemini(this.#usage)
    return {
      kind: 'start',
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    }
  }

  #readCandidates(candidates: readonly JsonObject[], model: string | undefined, events: ModelEvent[]): void {
    this.#hasCandidate = true
    const before = events.length
    for (const candidate of candidates) {
      for (const part of partsOf(candidate)) this.#readPart(part, events)
      events.push(...readLogprobs(candidate), ...citationsIn(candidate))
    }
    const searches = candidates.reduce((sum, candidate) => sum + searchesIn(candidate, model), 0)
    this.#searches = Math.max(this.#searches, searches)
    this.#hasContent ||= events.slice(before).some((event) => isContent(event) && !isEmptyText(event))
    this.#end = endOf(candidates[0] ?? {}) ?? this.#end
  }

  #readPart(part: JsonObject, events: ModelEvent[]): void {
    const signature = textAt(part, 'thoughtSignature')
    if (isObject(part['functionCall'])) {
      this.#readCall(part['functionCall'], signature, events)
      return
    }
    const text = textAt(part, 'text')
    const isThought = part['thought'] === true
    if (typeof part['text'] === 'string' && !isThought) {
      this.#readText(part['text'], signature, events)
      return
    }
    if (text !== undefined) events.push({ kind: 'reasoning', text })
    else this.#readOther(part, isThought, events)
    if (signature !== undefined) events.push(proofEvent(signature))
  }

  /**
   * The signature of a text proves the thoughts before it, so it stands before the text. It is optional there, and left out once text was
   * sent: https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  #readText(text: string, signature: string | undefined, events: ModelEvent[]): void {
    if (signature !== undefined && !this.#hasText && (text !== '' || this.#hasContent)) events.push(proofEvent(signature))
    this.#hasText ||= text !== ''
    if (text !== '') events.push({ kind: 'text', text })
  }

  /** Google sends a call whole: https://ai.google.dev/gemini-api/docs/function-calling */
  #readCall(call: JsonObject, signature: string | undefined, events: ModelEvent[]): void {
    const index = this.#calls
    this.#calls += 1
    const id = textAt(call, 'id') ?? this.#makeId(call, index)
    const name = textAt(call, 'name') ?? ''
    events.push({ kind: 'tool-call', index, id, name, ...(signature === undefined ? {} : { signature }) })
    events.push({ kind: 'tool-arguments', index, text: argumentsText(call['args'] ?? {}) })
  }

  /**
   * An id that no other answer of the conversation has, and the same each time the answer is read: of the answer's id, else of the call
   * and the size of its prompt, which grows with each turn.
   */
  #makeId(call: JsonObject, index: number): string {
    const base = this.#id === '' ? digestOf(JSON.stringify([call, this.#usage?.['promptTokenCount']])) : this.#id
    return `call_${base}_${index}`
  }

  #readOther(part: JsonObject, isThought: boolean, events: ModelEvent[]): void {
    const { data, mimeType = '' } = objectAt(part, 'inlineData')
    const type = String(mimeType)
    // Other formats have no images in thoughts.
    const isShown = !isThought || this.#purpose === 'pass-through'
    if (typeof data === 'string' && isShown && type.startsWith('image/')) {
      this.#images += 1
      events.push({ kind: 'image', media_type: type, data })
    } else if (typeof data === 'string' && isShown && type.startsWith('audio/')) events.push({ kind: 'audio', data })
    else if (isObject(part['executableCode'])) events.push({ kind: 'text', text: toCodeBlock(part['executableCode']) })
    else if (isObject(part['codeExecutionResult'])) events.push({ kind: 'text', text: toOutputBlock(part['codeExecutionResult']) })
    else {
      const type = Object.keys(part).find((name) => isObject(part[name]))
      if (type !== undefined) events.push({ kind: 'vendor-specific', by: 'gemini', type, raw: part })
    }
  }

  #fail(failure: UpstreamFailure): ModelEvent {
    this.#hasFailed = true
    return { kind: 'failed', failure }
  }

  #emptiness(): UpstreamFailure {
    const reason = this.#blockReason
    if (reason === undefined) return { kind: 'malformed', code: 'empty_response', message: 'the answer has no candidates' }
    return { kind: 'refused', status: 400, code: 'prompt_blocked', message: `request blocked by Gemini API: ${reason}` }
  }

  /** The last usage that was reported. */
  usageEvents(): ModelEvent[] {
    const usage: Usage | undefined = usageFromGemini(this.#usage, { images: this.#images, searches: this.#searches })
    return usage === undefined || this.#usage === undefined ? [] : [{ kind: 'usage', usage, raw: this.#usage }]
  }
}

const digestOf = (text: string) => sha256(text).slice(0, 24)

const isEmptyText = (event: ModelEvent) => 'text' in event && event.text === ''

function proofEvent(signature: string): ModelEvent {
  const proof = decodeProof(signature)
  if (proof.kind === 'redacted') return { kind: 'redacted-reasoning', data: proof.text, by: proof.by }
  return { kind: 'reasoning-signature', signature: proof.text, by: proof.by }
}

function objectIndex(candidate: JsonObject): number {
  return typeof candidate['index'] === 'number' ? candidate['index'] : 0
}

/** Code that Google ran, as a code block for clients of other formats. */
function toCodeBlock(code: JsonObject): string {
  const language = (textAt(code, 'language') ?? '').toLowerCase().replace('language_unspecified', '')
  return `\n\`\`\`${language}\n${(textAt(code, 'code') ?? '').trimEnd()}\n\`\`\`\n`
}

function toOutputBlock(result: JsonObject): string {
  return `\n\`\`\`output\n${(textAt(result, 'output') ?? '').trimEnd()}\n\`\`\`\n`
}
