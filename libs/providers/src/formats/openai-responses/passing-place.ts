import { objectAt, type JsonObject } from '../../json.ts'
import { encodeSse } from '../../sse/encoder.ts'
import type { ErrorPlace } from './errors.ts'

/** The response's id near the beginning of its `response.created`; ids inside its texts have escaped quotes. */
const ID = /"response"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]+)"|"id"\s*:\s*"(resp_[^"\\]+)"/

/** Where a stream stands that passes as the vendor sent it: what our own events in it refer to. */
export class PassingPlace {
  #id: string | undefined
  #isCreated = false
  /** Follows the number of the last event that has passed. */
  #next = 0
  /** Follows the number of our own last event. */
  #nextOwn = 0
  #output: readonly unknown[] = []

  /** Takes the beginning of `response.created`, which repeats all tools and instructions and is not parsed. */
  create(text: string): void {
    this.#isCreated = true
    const found = ID.exec(text)
    this.#id = found?.[1] ?? found?.[2]
  }

  /** Events are numbered without gaps, so one that is not parsed is counted. */
  pass({ sequence_number }: JsonObject = {}): void {
    this.#next = typeof sequence_number === 'number' ? sequence_number + 1 : this.#next + 1
  }

  /** Keeps the output of the vendor's own failed response, which is not sent as it is. */
  fail(event: JsonObject): void {
    const { output } = objectAt(event, 'response')
    if (Array.isArray(output)) this.#output = output
  }

  /** The vendor's next event can have the same number, because its bytes stay as they are. Undefined before `response.created`. */
  keepAlive(): string | undefined {
    if (!this.#isCreated) return undefined
    this.#nextOwn = this.#next + 1
    return encodeSse({ event: 'keepalive', data: JSON.stringify({ type: 'keepalive', sequence_number: this.#next }) })
  }

  /** The place of an error; undefined: nothing of the answer has passed. */
  get ofError(): ErrorPlace | undefined {
    if (!this.#isCreated || this.#id === undefined) return undefined
    return { id: this.#id, sequence_number: Math.max(this.#next, this.#nextOwn), output: this.#output }
  }
}
