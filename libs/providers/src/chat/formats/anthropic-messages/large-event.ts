import { findLastObject } from '../../../find-last-object.ts'
import type { MessageStreamFacts } from './stream-facts.ts'

/** Usage is at the end of its event: a few hundred bytes, or a few kilobytes if it lists every step of a server tool. */
const TAIL_BYTES = 3 * 1024
const HEAD_BYTES = 1024
const IS_ERROR = /"type"\s*:\s*"error"/
const TYPE = /"type"\s*:\s*"(message_start|message_delta|content_block_start|content_block_delta)"/
const DELTA = /"type"\s*:\s*"(text_delta|thinking_delta|input_json_delta)"/
const CLASSES = { text_delta: 'text', thinking_delta: 'reasoning', input_json_delta: 'tools' } as const

/**
 * An event larger than the buffer (search results, a signature, a whole tool input). It passes unparsed; the characters of its text are
 * counted, and usage is searched in its last kilobytes.
 */
export class LargeEvent {
  readonly #facts: MessageStreamFacts
  readonly #head: string
  readonly #class: (typeof CLASSES)[keyof typeof CLASSES] | undefined
  #tail: string

  constructor(head: Buffer, facts: MessageStreamFacts) {
    const text = head.toString('latin1')
    const delta = DELTA.exec(text)?.[1]
    this.#facts = facts
    this.#head = text.slice(0, HEAD_BYTES)
    this.#tail = text.slice(-TAIL_BYTES)
    this.#class = isDelta(delta) ? CLASSES[delta] : undefined
    if (text.startsWith('event: error') || (IS_ERROR.test(text) && !TYPE.test(text))) facts.failLarge()
    else if (this.#class === undefined) {
      if (text.includes('content_block')) facts.noteContent()
    } else this.#count(head)
  }

  push(part: Buffer): void {
    this.#tail = (this.#tail + part.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES)
    this.#count(part)
  }

  finish(): void {
    const type = TYPE.exec(this.#head)?.[1]
    if (type === 'message_start') this.#facts.readStart(findLastObject('usage', this.#tail))
    if (type === 'message_delta')
      this.#facts.readEnd(/"stop_reason"\s*:\s*"(\w+)"/.exec(this.#head)?.[1], findLastObject('usage', this.#tail))
  }

  #count(part: Buffer): void {
    if (this.#class !== undefined) this.#facts.countUnparsed(this.#class, part.toString('utf8'))
  }
}

const isDelta = (type: string | undefined): type is keyof typeof CLASSES => type !== undefined && type in CLASSES
