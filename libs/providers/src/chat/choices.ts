import type { Usage } from '@tollgate/contracts/pricing/quote'
import { isObject, listAt, parseJsonObject, type JsonObject } from '../json.ts'
import { NOTHING } from '../sse/bytes.ts'
import { SseDecoder } from '../sse/decoder.ts'
import type { AnswerStream, StreamEnding } from './stream.ts'
import type { EventFacts } from './translate.ts'

/**
 * Several answers to one request. The canonical events have one, so each is translated by itself: what the vendor sends is split by the
 * index of the answer, and what the client receives is joined again.
 */

/** The list of answers in the bodies and chunks of formats that can hold several. */
const LISTS = { 'openai-chat': 'choices', gemini: 'candidates' } as const

export const holdsChoices = (format: string): boolean => Object.hasOwn(LISTS, format)

function listOf(format: string): string {
  const list = format === 'gemini' || format === 'openai-chat' ? LISTS[format] : undefined
  if (list === undefined) throw new Error(`format ${format} holds one answer`)
  return list
}

const indexOf = (choice: unknown): number => (isObject(choice) && typeof choice['index'] === 'number' ? choice['index'] : 0)

/** The positions of the answers in a body or chunk. */
const indexesIn = (body: JsonObject, list: string): number[] => [...new Set(listAt(body, list).map(indexOf))]

/** A body or chunk with one of its answers, as the first; undefined if it is about others only. */
function onlyChoice(body: JsonObject, list: string, index: number): JsonObject | undefined {
  const all = listAt(body, list)
  const own = all.filter((choice) => indexOf(choice) === index)
  if (own.length === 0 && all.length > 0) return undefined
  return all.length === 0 ? body : { ...body, [list]: own.map((choice) => (isObject(choice) ? { ...choice, index: 0 } : choice)) }
}

/** The bytes of each answer in a whole body or a complete stream. */
export function splitWhole(format: string, bytes: Buffer, isEventStream: boolean): Buffer[] {
  const list = listOf(format)
  if (!isEventStream) {
    const body = parseJsonObject(bytes.toString())
    const indexes = body === undefined ? [] : indexesIn(body, list)
    if (body === undefined || indexes.length < 2) return [bytes]
    return indexes
      .toSorted((left, right) => left - right)
      .map((index) => Buffer.from(JSON.stringify(onlyChoice(body, list, index) ?? body)))
  }
  const splitter = new StreamSplitter(format)
  const pieces: Buffer[][] = []
  for (const [index, piece] of [...splitter.push(bytes), ...splitter.end()]) (pieces[index] ??= []).push(piece)
  return pieces.filter((own) => own !== undefined).map((own) => Buffer.concat(own))
}

/** Splits a stream: each event goes to the answers that it is about, one without answers to all that have begun. */
class StreamSplitter {
  readonly #list: string
  readonly #sse = new SseDecoder()
  readonly #begun = new Set<number>([0])

  constructor(format: string) {
    this.#list = listOf(format)
  }

  push(chunk: Buffer): (readonly [index: number, piece: Buffer])[] {
    return this.#sse.push(chunk).flatMap(({ data }) => this.#split(data))
  }

  end(): (readonly [index: number, piece: Buffer])[] {
    return this.#sse.end().flatMap(({ data }) => this.#split(data))
  }

  #split(data: string | undefined): (readonly [number, Buffer])[] {
    if (data === undefined) return []
    const body = parseJsonObject(data)
    for (const index of body === undefined ? [] : indexesIn(body, this.#list)) if (index < MAX_CHOICES) this.#begun.add(index)
    return [...this.#begun].flatMap((index) => {
      const own = body === undefined ? data : onlyChoice(body, this.#list, index)
      return own === undefined ? [] : [[index, toSse(typeof own === 'string' ? own : JSON.stringify(own))] as const]
    })
  }
}

const MAX_CHOICES = 128
const toSse = (data: string) => Buffer.from(`data: ${data}\n\n`)

/** Whole bodies as one, with an answer for each. */
export function joinBodies(format: string, bodies: readonly JsonObject[]): JsonObject {
  const list = listOf(format)
  const choices = bodies.flatMap((body, index) => listAt(body, list).map((choice) => (isObject(choice) ? { ...choice, index } : choice)))
  return { ...bodies[0], [list]: choices }
}

/** Joins the streams of several answers, or their ends: the parts of the whole response are taken from the last. */
export function joinStreams(format: string, texts: readonly string[]): string {
  return texts.map((text, index) => atIndex(format, text, { index, isLast: index === texts.length - 1 })).join('')
}

type Place = { readonly index: number; readonly isLast: boolean }

function atIndex(format: string, text: string, { index, isLast }: Place): string {
  if (text === '') return ''
  const list = listOf(format)
  const sse = new SseDecoder()
  return [...sse.push(Buffer.from(text)), ...sse.end()]
    .flatMap(({ data }) => {
      const body = data === undefined ? undefined : parseJsonObject(data)
      const choices = listAt(body, list)
      if (body === undefined || choices.length === 0) return isLast && data !== undefined ? `data: ${data}\n\n` : []
      const moved = { ...body, [list]: choices.map((choice) => (isObject(choice) ? { ...choice, index } : choice)) }
      return `data: ${JSON.stringify(moved)}\n\n`
    })
    .join('')
}

type Translating = {
  /** The vendor's format and the client's. */
  readonly from: string
  readonly to: string
  readonly facts: EventFacts
  /** The translation of one answer; all count into the same facts. */
  readonly open: (facts: EventFacts) => AnswerStream
}

/** Translates a stream that holds several answers. */
export class ChoicesTranslator implements AnswerStream {
  readonly hasOpening = true
  readonly facts: EventFacts
  readonly #given: Translating
  readonly #splitter: StreamSplitter
  readonly #streams = new Map<number, AnswerStream>()

  constructor(given: Translating) {
    this.#given = given
    this.facts = given.facts
    this.#splitter = new StreamSplitter(given.from)
    this.#streamOf(0)
  }

  get isDone(): boolean {
    return [...this.#streams.values()].every(({ isDone }) => isDone)
  }

  get warnings(): readonly string[] {
    return [...new Set([...this.#streams.values()].flatMap(({ warnings = [] }) => warnings))]
  }

  push(chunk: Buffer): Buffer {
    return this.#translate(this.#splitter.push(chunk))
  }

  close(): { readonly rest: Buffer; readonly ending: StreamEnding } {
    const rest = [this.#translate(this.#splitter.end())]
    const endings: StreamEnding[] = []
    for (const [index, stream] of this.#streams) {
      const closed = stream.close()
      endings.push(closed.ending)
      rest.push(this.#written(closed.rest, index))
    }
    const ending = ENDINGS.find((one) => endings.includes(one)) ?? 'cut'
    return { rest: Buffer.concat(rest), ending: this.facts.failure === undefined ? ending : 'failed' }
  }

  closing(usage: Usage): Buffer {
    const texts = [...this.#streams.values()].map((stream) => stream.closing(usage).toString())
    return Buffer.from(joinStreams(this.#given.to, texts))
  }

  #translate(pieces: readonly (readonly [index: number, piece: Buffer])[]): Buffer {
    const written = pieces.map(([index, piece]) => {
      const translated = this.#streamOf(index).push(piece)
      return this.#written(translated, index)
    })
    return written.length === 0 ? NOTHING : Buffer.concat(written)
  }

  #written(piece: Buffer, index: number): Buffer {
    if (piece.length === 0 || index === 0) return piece
    return Buffer.from(atIndex(this.#given.to, piece.toString(), { index, isLast: false }))
  }

  #streamOf(index: number): AnswerStream {
    const known = this.#streams.get(index)
    if (known !== undefined) return known
    const opened = this.#given.open(this.facts)
    this.#streams.set(index, opened)
    this.facts.answers = this.#streams.size
    return opened
  }
}

/** The worst ending of one answer is that of all. */
const ENDINGS: readonly StreamEnding[] = ['failed', 'cut', 'finished', 'done']
