import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { RenderedError, UsageReaderInput } from '../../codec.ts'
import type { AnswerStream, StreamEnding } from '../../stream.ts'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import { isObject, objectAt, parseJsonObject, type JsonObject } from '../../../json.ts'
import { concat, keep, NOTHING } from '../../../sse/bytes.ts'
import { EventBoundaries } from '../../../sse/boundaries.ts'
import { MAX_EVENT_BYTES } from '../../../sse/decoder.ts'
import { encodeSse } from '../../../sse/encoder.ts'
import { parseEvent } from '../../../sse/event.ts'
import { renderResponsesStreamError } from './errors.ts'
import { PassingPlace } from './passing-place.ts'
import { ResponsesStreamFacts } from './stream-facts.ts'
import { toResponsesUsage } from './usage.ts'

/** Bytes of an unfinished event that are buffered, unless the event must be read whole. */
const HELD_BYTES = 3 * 1024

/**
 * Reads a Responses stream on its way to a client of the same format. Bytes pass unchanged except the last event (`response.completed` or
 * `response.incomplete`), which is sent after settlement with everything after it, and an error, which the caller renders. The last event
 * repeats the answer, so it is buffered whole, up to 16 MB; of other events at most 3 KB.
 */
export function createResponsesUsageReader({ count }: UsageReaderInput): AnswerStream {
  return new UsageReader(count)
}

const EVENT_END = Buffer.from('\n\n')
const LAST = new Set(['response.completed', 'response.incomplete', 'response.done'])
const CREATED = 'response.created'
const ITEM_DONE = 'response.output_item.done'
const FAILED = new Set(['response.failed', 'response.cancelled', 'error'])
/** The type of an event: in its `event` line, or first in its object. */
const NAMED = /^event:\s*([\w.]+)|[{,]\s*"type"\s*:\s*"(response\.[\w.]+|error)"/m

class UsageReader implements AnswerStream {
  readonly hasOpening = true
  readonly facts: ResponsesStreamFacts
  readonly #boundaries = new EventBoundaries()
  readonly #place = new PassingPlace()
  #held: Buffer[] = []
  #heldBytes = 0
  /** The name of an event that is too large for the buffer and passes piece by piece. */
  #passing: string | undefined
  #hasPassed = true
  #last: Buffer | undefined
  #response: JsonObject = {}

  constructor(count: CountInto) {
    this.facts = new ResponsesStreamFacts(count)
  }

  get isDone(): boolean {
    return this.#last !== undefined
  }

  get answer(): JsonObject | undefined {
    return this.isDone ? this.#response : undefined
  }

  push(chunk: Buffer): Buffer {
    if (this.#isOver()) return NOTHING
    const { lead, ends } = this.#boundaries.scan(chunk)
    const out: Buffer[] = []
    let start: number = lead
    if (lead === 1 && this.#hasPassed) out.push(chunk.subarray(0, 1))
    for (const end of ends) {
      const shown = this.#complete(chunk.subarray(start, end))
      this.#hasPassed = shown.length > 0
      out.push(...shown)
      start = end
      if (this.#isOver()) return concat(out)
    }
    if (start < chunk.length) out.push(...this.#keep(chunk.subarray(start)))
    return concat(out)
  }

  close(): { rest: Buffer; ending: StreamEnding } {
    const isHolding = !this.#isOver() && this.#passing === undefined && this.#heldBytes > 0
    const rest = isHolding ? this.#closeHeld() : NOTHING
    if (this.facts.failure !== undefined) return { rest: NOTHING, ending: 'failed' }
    return { rest, ending: this.isDone ? 'done' : 'cut' }
  }

  /** The vendor's own last event, with the settled usage added if it has none. */
  closing(usage: Usage): Buffer {
    if (this.#last === undefined) return NOTHING
    if (isObject(this.#response['usage'])) return this.#last
    const { event, data = '' } = parseEvent(this.#last.toString('utf8')) ?? {}
    const told = { ...parseJsonObject(data), response: { ...this.#response, usage: toResponsesUsage(usage) } }
    return Buffer.from(encodeSse({ ...(event === undefined ? {} : { event }), data: JSON.stringify(told) }))
  }

  keepAlive(): string | undefined {
    return this.#passing === undefined ? this.#place.keepAlive() : ''
  }

  renderError(error: RenderedError): string | undefined {
    const { ofError } = this.#place
    return ofError === undefined ? undefined : renderResponsesStreamError(error, ofError)
  }

  #isOver(): boolean {
    return this.isDone || this.facts.failure !== undefined
  }

  /** Completes an event with these last bytes; returns what passes. */
  #complete(last: Buffer): Buffer[] {
    if (this.#passing !== undefined) {
      this.#countUnparsed(last)
      this.#passing = undefined
      this.#place.passLarge()
      return [last]
    }
    const pieces = [...this.#held, last]
    this.#held = []
    this.#heldBytes = 0
    return this.#read(pieces.length === 1 ? last : Buffer.concat(pieces)) ? pieces : []
  }

  /** Reads an event; true if it passes. */
  #read(whole: Buffer): boolean {
    const text = whole.toString('utf8')
    const { event: name, data } = parseEvent(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) ?? {}
    if (data === undefined) return true
    if (name !== undefined && !isRead(name)) {
      this.facts.hasBegun ||= name.startsWith('response.')
      if (name === CREATED) this.#place.create(text)
      else if (name === ITEM_DONE) this.#place.finishItem(data)
      this.#place.pass()
      return true
    }
    if (data.trim() === '[DONE]') return false
    const event = parseJsonObject(data)
    if (event === undefined) {
      this.facts.unreadable += 1
      this.#place.pass()
      return true
    }
    const type = typeOf(event, name)
    if (LAST.has(type)) this.#finish(whole, objectAt(event, 'response'))
    else this.facts.read(type, event)
    this.facts.hasBegun ||= !FAILED.has(type)
    if (FAILED.has(type)) this.#place.fail(event)
    if (LAST.has(type) || this.facts.failure !== undefined) return false
    if (type === CREATED) this.#place.create(text)
    else if (type === ITEM_DONE) this.#place.finishItem(data)
    this.#place.pass(event)
    return true
  }

  #finish(whole: Buffer, response: JsonObject): void {
    this.#response = response
    // A copy, so that the chunk is not retained until settlement.
    this.#last = keep(whole)
    this.facts.readResponse(response)
  }

  /** Buffers the beginning of an event; returns what passes at once because it is too large for the buffer. */
  #keep(part: Buffer): Buffer[] {
    if (this.#passing !== undefined) {
      this.#countUnparsed(part)
      return [part]
    }
    // A copy: the chunk can be reused before the event is complete.
    this.#held.push(keep(part))
    this.#heldBytes += part.length
    if (this.#heldBytes <= HELD_BYTES) return []
    const head = Buffer.concat(this.#held)
    const name = nameOf(head)
    if (name === undefined || LAST.has(name) || FAILED.has(name)) return this.#keepWhole()
    const held = this.#held
    this.#held = []
    this.#heldBytes = 0
    this.#passing = name
    if (name === CREATED) this.#place.create(head.toString('utf8'))
    this.#countUnparsed(head)
    return held
  }

  #keepWhole(): Buffer[] {
    if (this.#heldBytes > MAX_EVENT_BYTES) {
      this.#held = []
      this.facts.failure = { kind: 'malformed', message: 'upstream sent an event larger than can be read' }
    }
    return []
  }

  #countUnparsed(part: Buffer): void {
    const name = this.#passing ?? ''
    this.facts.hasBegun = true
    if (name.endsWith('.delta')) this.facts.countUnparsed(name, part.toString('utf8'))
  }

  /** Completes a last event that has no empty line, so that our own end marker does not become part of it. */
  #closeHeld(): Buffer {
    const { unreadable } = this.facts
    const whole = Buffer.concat([...this.#held, EVENT_END])
    this.#held = []
    this.#heldBytes = 0
    return this.#read(whole) && this.facts.unreadable === unreadable ? whole : NOTHING
  }
}

const isRead = (name: string) => name.endsWith('.delta') || name === 'response.output_item.added' || LAST.has(name) || FAILED.has(name)

function nameOf(head: Buffer): string | undefined {
  const found = NAMED.exec(head.toString('latin1'))
  return found?.[1] ?? found?.[2]
}

function typeOf(event: JsonObject, name: string | undefined): string {
  const { type } = event
  if (typeof type === 'string') return type
  return isObject(event['error']) ? 'error' : (name ?? '')
}
