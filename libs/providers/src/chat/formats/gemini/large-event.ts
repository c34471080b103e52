import { keep, NOTHING } from '../../../sse/bytes.ts'
import { findLastObject } from '../../../find-last-object.ts'
import { parseJson } from '../../../json.ts'
import type { GeminiStreamFacts } from './stream-facts.ts'

/** Bytes of an event too large for the buffer that are held back until it ends: they contain usage and the end of the event. */
export const TAIL_BYTES = 1024
/** Long enough for every pattern to span two chunks. */
const OVERLAP = 96
const MAX_QUERIES = 1024
const IS_ERROR = /^data:\s*\{\s*"error"\s*:\s*[{"]/
const FINISH = /"finishReason"\s*:\s*"([A-Z_]+)"/
const MARKS = /"mimeType"\s*:\s*"image\/|"functionCall"\s*:\s*\{/g
const MODEL = /"modelVersion"\s*:\s*"([^"]{1,128})"/
const QUERIES = /"webSearchQueries"\s*:\s*\[/
/** Signatures and media: not text. */
const BASE64 = /[\w+/=-]{120,}/g

/**
 * An event larger than the buffer. All but its last bytes pass at once; its text is counted as it passes, and facts are searched with
 * patterns that cannot match inside JSON text, where quotes are escaped.
 */
export class LargeEvent {
  readonly #facts: GeminiStreamFacts
  #tail: Buffer = NOTHING
  #window = ''
  #finish: string | undefined
  #usage: unknown
  #queries: string | undefined
  #images = 0
  #calls = 0

  constructor(head: Buffer, facts: GeminiStreamFacts) {
    this.#facts = facts
    const text = head.toString('latin1')
    if (IS_ERROR.test(text)) facts.failLarge()
    // Some events have their usage at the beginning.
    else this.#usage = findLastObject('usageMetadata', text)
  }

  /** The tail, after the whole event has been pushed. */
  get tail(): Buffer {
    return this.#tail
  }

  get hasFinish(): boolean {
    return this.#finish !== undefined
  }

  /** Takes more of the event and returns what can be sent. */
  push(part: Buffer): Buffer {
    this.#scan(part)
    const whole = this.#tail.length === 0 ? part : Buffer.concat([this.#tail, part])
    const passed = Math.max(whole.length - TAIL_BYTES, 0)
    this.#tail = keep(whole.subarray(passed))
    return whole.subarray(0, passed)
  }

  /** Reads the facts after the last byte. */
  finish(): void {
    const tail = this.#tail.toString('latin1')
    const usage = findLastObject('usageMetadata', tail) ?? this.#usage
    const model = MODEL.exec(tail)?.[1]
    const queries = queriesIn(this.#queries)
    this.#facts.readLarge({ finish: this.#finish, usage, queries, model, images: this.#images, calls: this.#calls })
  }

  #scan(part: Buffer): void {
    this.#facts.countUnparsed(part.toString('utf8').replaceAll(BASE64, ''))
    const text = part.toString('latin1')
    const seen = this.#window.length
    const window = this.#window + text
    this.#finish ??= FINISH.exec(window)?.[1]
    for (const found of window.matchAll(MARKS)) {
      if (found.index + found[0].length <= seen) continue
      if (found[0].startsWith('"mime')) this.#images += 1
      else this.#calls += 1
    }
    this.#scanQueries(window, text)
    this.#window = window.slice(-OVERLAP)
  }

  #scanQueries(window: string, text: string): void {
    if (this.#queries !== undefined) {
      if (this.#queries.length < MAX_QUERIES && !isClosed(this.#queries)) this.#queries = (this.#queries + text).slice(0, MAX_QUERIES)
      return
    }
    const found = QUERIES.exec(window)
    if (found !== null) this.#queries = window.slice(found.index + found[0].length - 1, found.index + MAX_QUERIES)
  }
}

const LIST = /^\[\s*(?:"(?:[^"\\]|\\.)*"\s*,?\s*)*\]/
const isClosed = (text: string) => LIST.test(text)

function queriesIn(text: string | undefined): string[] {
  const list = text === undefined ? undefined : parseJson(LIST.exec(text)?.[0] ?? '[]')
  return Array.isArray(list) ? list.filter((query) => typeof query === 'string') : []
}
