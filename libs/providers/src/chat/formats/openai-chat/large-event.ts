import { findLastObject } from '../../../find-last-object.ts'
import type { ChatStreamFacts } from './stream-facts.ts'

/** Usage objects are a few hundred bytes at the end of a chunk. */
const TAIL_BYTES = 1024
const IS_ERROR = /^data:\s*\{\s*"error"\s*:\s*[{"]/
/** Base64 content: not text, and its vendors report usage. */
const IS_BINARY = /"(?:audio|images|b64_json|inline_data)"\s*:\s*[{["]/

/**
 * An event larger than the buffer. It passes unparsed; its characters are counted, and usage and finish are searched in its last
 * kilobyte.
 */
export class LargeEvent {
  readonly #facts: ChatStreamFacts
  readonly #isText: boolean
  #tail: string

  constructor(head: Buffer, facts: ChatStreamFacts) {
    const text = head.toString('latin1')
    this.#facts = facts
    this.#isText = !IS_BINARY.test(text)
    this.#tail = text.slice(-TAIL_BYTES)
    if (IS_ERROR.test(text)) facts.failLarge()
    else this.#count(head)
  }

  push(part: Buffer): void {
    this.#tail = (this.#tail + part.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES)
    this.#count(part)
  }

  finish(): void {
    this.#facts.readTail(findLastObject('usage', this.#tail), /"finish_reason"\s*:\s*"(\w+)"/.exec(this.#tail)?.[1])
  }

  #count(part: Buffer): void {
    if (this.#isText) this.#facts.countUnparsed(part.toString('utf8'))
    else this.#facts.noteContent()
  }
}
