import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { BaseStreamFacts } from '../../base-stream-facts.ts'
import { toRawUsage, type Finish } from '../../answer-facts.ts'
import { failureInPassing, type End } from '../../ends.ts'
import { isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '../../../json.ts'
import { decodeGeminiError, errorIn } from './errors.ts'
import { blockReasonIn, callTexts, candidatesIn, endOf, partsOf } from './response.ts'
import { searchesIn, usageFromGemini } from './usage.ts'

/** `last`: after this event a client takes the answer for complete. */
export type ChunkKind = 'content' | 'last' | 'failed' | 'unreadable'

/** Reads the responses of one stream and keeps a few hundred bytes of facts. */
export class GeminiStreamFacts extends BaseStreamFacts {
  override answers: number | undefined = 1
  #end: End | undefined
  #usage: JsonObject | undefined
  #model: string | undefined
  #images = 0
  #searches = 0

  get finish(): Finish | undefined {
    const finish = this.#end?.finish
    return finish === 'stop' && this.delivered.tool_calls > 0 ? 'tools' : finish
  }

  get unknown_end(): string | undefined {
    return this.#end?.unknown
  }

  get usage(): Usage | undefined {
    return usageFromGemini(this.#usage, { images: this.#images, searches: this.#searches })
  }

  get raw_usage(): string | undefined {
    return this.usage === undefined ? undefined : toRawUsage(this.#usage)
  }

  /** Reads the data of one event. */
  read(data: string): ChunkKind {
    const chunk = parseJsonObject(data)
    if (chunk === undefined) {
      this.unreadable += 1
      return 'unreadable'
    }
    if (errorIn(chunk) !== undefined || textAt(chunk, 'error') !== undefined) return this.#fail(decodeGeminiError(200, chunk))
    this.hasBegun = true
    const before = this.#end
    this.#end = undefined
    this.#model ??= textAt(chunk, 'modelVersion')?.slice(0, 128)
    this.readUsage(chunk['usageMetadata'])
    for (const candidate of candidatesIn(chunk)) this.#readCandidate(candidate)
    if (blockReasonIn(chunk) !== undefined) this.#end = { finish: 'filter' }
    const isLast = this.#end !== undefined
    this.#end ??= before
    const failure = failureInPassing(this.#end, this.hasContent)
    if (failure !== undefined) return this.#fail(failure)
    return isLast ? 'last' : 'content'
  }

  /** Counts text of an unparsed event that is known to be part of the answer. */
  countUnparsed(text: string): void {
    this.addUnparsed(this.delivered.text, text)
  }

  /** Records the facts of an unparsed event. */
  readLarge({ finish, usage, queries, model, images, calls }: LargeFacts): void {
    this.answers = undefined
    this.#model ??= model
    this.#end = endOf({ finishReason: finish }) ?? this.#end
    this.readUsage(usage)
    this.#search({ groundingMetadata: { webSearchQueries: queries } })
    this.#images += images
    this.delivered.tool_calls += calls
  }

  readUsage(usage: unknown): void {
    if (isObject(usage)) this.#usage = usage
  }

  #fail(failure: UpstreamFailure): 'failed' {
    this.failure = failure
    return 'failed'
  }

  #readCandidate(candidate: JsonObject): void {
    this.countAnswer(candidate['index'])
    for (const part of partsOf(candidate)) this.#readPart(part)
    this.#search(candidate)
    this.#end = endOf(candidate) ?? this.#end
  }

  #search(candidate: JsonObject): void {
    this.#searches = Math.max(this.#searches, searchesIn(candidate, this.#model))
  }

  #readPart(part: JsonObject): void {
    const { text, reasoning, tools } = this.delivered
    this.add(part['thought'] === true ? reasoning : text, textAt(part, 'text'))
    if (isObject(part['functionCall'])) this.delivered.tool_calls += 1
    for (const written of callTexts(part)) this.add(tools, written)
    const type = textAt(objectAt(part, 'inlineData'), 'mimeType')
    if (type !== undefined || Object.values(part).some(isObject)) this.hasContent = true
    if (type?.startsWith('image/') === true) this.#images += 1
  }
}

export type LargeFacts = {
  readonly finish: string | undefined
  readonly usage: unknown
  readonly queries: readonly string[]
  readonly model: string | undefined
  readonly images: number
  readonly calls: number
}
