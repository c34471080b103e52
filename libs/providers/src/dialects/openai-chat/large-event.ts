import type { ChatStreamFacts } from './stream-facts.ts'

/** Usage objects are a few hundred bytes and stand at the end of a chunk. */
const TAIL_BYTES = 1024
const IS_ERROR = /^data:\s*\{\s*"error"\s*:\s*[{"]/
/** Answers that are bytes in base64: not text, and their vendors report usage. */
const IS_BINARY = /"(?:audio|images|b64_json|inline_data)"\s*:\s*[{["]/

/**
 * An event that outgrew what a stream may keep. It passes unread; its characters are counted as they go by, and usage and finish
 * are looked for in its last kilobyte.
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

  finish(facts: ChatStreamFacts): void {
    facts.readTail(usageIn(this.#tail), /"finish_reason"\s*:\s*"(\w+)"/.exec(this.#tail)?.[1])
  }

  #count(part: Buffer): void {
    if (this.#isText) this.#facts.readLoose(part.toString('utf8'))
  }
}

/** The last `"usage":{…}` of a text. */
function usageIn(tail: string): unknown {
  const start = tail.lastIndexOf('"usage"')
  const open = start === -1 ? -1 : tail.indexOf('{', start)
  if (open === -1) return undefined
  let depth = 0
  for (let at = open; at < tail.length; at += 1) {
    if (tail[at] === '{') depth += 1
    if (tail[at] === '}') depth -= 1
    if (depth === 0) return parse(tail.slice(open, at + 1))
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // It only looked like usage; the answer is estimated instead.
    return undefined
  }
}
