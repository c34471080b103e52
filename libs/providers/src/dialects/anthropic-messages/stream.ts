import type { Usage } from '@tollgate/contracts/quote'
import type { TapInput } from '../../conversation/dialect.ts'
import type { AnswerStream, StreamEnding } from '../../conversation/stream.ts'
import type { CountInto } from '@tollgate/contracts/text-counts'
import { EventBoundaries } from '../../sse/boundaries.ts'
import { parseEvent } from '../../sse/event.ts'
import { LargeEvent } from './large-event.ts'
import { MessageStreamFacts } from './stream-facts.ts'

/** Bytes of an unfinished event that are kept until its end is there. What is larger goes on unread. */
export const HELD_BYTES = 3 * 1024

/**
 * Watches a Messages stream on its way from upstream to a client of the same format. Bytes pass as they are, pings included,
 * except: `message_stop`, which waits for the settlement, and an error object, which is kept for the caller to render. At most
 * 4 KB are kept per stream.
 */
export function createTap(input: TapInput): AnswerStream {
  return new Tap(input.count)
}

const NOTHING = Buffer.alloc(0)
const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n')
const EVENT_END = Buffer.from('\n\n')

type Verdict = 'pass' | 'hide' | 'done'

class Tap implements AnswerStream {
  readonly facts: MessageStreamFacts
  readonly #boundaries = new EventBoundaries()
  #held = NOTHING
  #large: LargeEvent | undefined
  #isFirst = true
  #hasPassed = true
  #marker: Buffer | undefined

  constructor(count: CountInto) {
    this.facts = new MessageStreamFacts(count)
  }

  get isDone(): boolean {
    return this.#marker !== undefined
  }

  push(chunk: Buffer): Buffer {
    if (this.#isOver()) return NOTHING
    const { lead, ends } = this.#boundaries.scan(chunk)
    const out: Buffer[] = []
    let start: number = lead
    // Bytes of this chunk from here on pass and are not yet in `out`.
    let run = lead === 1 && this.#hasPassed ? 0 : start
    for (const end of ends) {
      const hadHeld = this.#held
      const verdict = this.#judge(chunk.subarray(start, end))
      if (verdict === 'pass') {
        if (hadHeld.length > 0) out.push(hadHeld)
      } else {
        if (start > run) out.push(chunk.subarray(run, start))
        run = end
      }
      this.#hasPassed = verdict === 'pass'
      start = end
      if (this.#isOver()) return concat(out)
    }
    if (start > run) out.push(chunk.subarray(run, start))
    out.push(this.#keep(chunk.subarray(start)))
    return concat(out)
  }

  close(): { rest: Buffer; ending: StreamEnding } {
    const rest = this.#isOver() || this.#large !== undefined || this.#held.length === 0 ? NOTHING : this.#closeHeld()
    const { failure, finish } = this.facts
    if (failure !== undefined) return { rest: NOTHING, ending: 'failed' }
    if (this.isDone) return { rest, ending: 'done' }
    return { rest, ending: finish === undefined || this.#large !== undefined ? 'cut' : 'finished' }
  }

  /** Upstream has told its usage in `message_delta` already: nothing is missing but the end. */
  closing(_usage: Usage): Buffer {
    return this.#marker ?? STOP_EVENT
  }

  #isOver(): boolean {
    return this.isDone || this.facts.failure !== undefined
  }

  /** An event whose last bytes are these. */
  #judge(last: Buffer): Verdict {
    if (this.#large !== undefined) {
      this.#large.push(last)
      this.#large.finish()
      this.#large = undefined
      return 'pass'
    }
    const whole = this.#held.length === 0 ? last : Buffer.concat([this.#held, last])
    this.#held = NOTHING
    return this.#read(whole)
  }

  #read(whole: Buffer): Verdict {
    const data = this.#dataOf(whole)
    if (data === undefined) return 'pass'
    const kind = this.facts.read(data)
    if (kind === 'failed') return 'hide'
    if (kind !== 'stop') return 'pass'
    // A copy: the chunk it lies in must not live as long as the settlement takes.
    this.#marker = Buffer.from(whole)
    return 'done'
  }

  #dataOf(whole: Buffer): string | undefined {
    const text = whole.toString('utf8', this.#isFirst && whole[0] === 0xef ? 3 : 0)
    this.#isFirst = false
    const line = text.startsWith('event: ') ? text.indexOf('\n') + 1 : 0
    const isPlain = text.startsWith('data: ', line) && text.indexOf('\n', line) === text.length - 2
    return isPlain ? text.slice(line + 6, -2) : parseEvent(text)?.data
  }

  /** The beginning of an event whose end has not come; gives what passes at once because it is too large to be kept. */
  #keep(part: Buffer): Buffer {
    if (part.length === 0) return NOTHING
    if (this.#large !== undefined) {
      this.#large.push(part)
      return part
    }
    const whole = Buffer.concat([this.#held, part])
    if (whole.length <= HELD_BYTES) {
      this.#held = whole
      return NOTHING
    }
    this.#held = NOTHING
    this.#large = new LargeEvent(whole, this.facts)
    return this.facts.failure === undefined ? whole : NOTHING
  }

  /** A last event without its empty line: ended for it, so that our own end cannot grow into it. */
  #closeHeld(): Buffer {
    const { unreadable } = this.facts
    const held = this.#held
    this.#held = NOTHING
    const verdict = this.#read(held)
    if (verdict === 'done') this.#marker = STOP_EVENT
    return verdict === 'pass' && this.facts.unreadable === unreadable ? Buffer.concat([held, EVENT_END]) : NOTHING
  }
}

function concat(parts: readonly Buffer[]): Buffer {
  const filled = parts.filter((part) => part.length > 0)
  const [only] = filled
  return filled.length === 1 && only !== undefined ? only : Buffer.concat(filled)
}
