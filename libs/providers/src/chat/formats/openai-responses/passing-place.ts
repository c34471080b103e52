import { countAt, isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '../../../json.ts'
import { encodeSse } from '../../../sse/encoder.ts'
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
  readonly #output = new OutputSoFar()

  /** Takes the beginning of `response.created`, which repeats all tools and instructions and is not parsed. */
  create(text: string): void {
    this.#isCreated = true
    const found = ID.exec(text)
    this.#id = found?.[1] ?? found?.[2]
  }

  /** Events are numbered without gaps, so one that is not parsed is counted. */
  pass(event: JsonObject = {}): void {
    const { sequence_number } = event
    this.#output.note(event)
    this.#next = typeof sequence_number === 'number' ? sequence_number + 1 : this.#next + 1
  }

  /** An event has passed that was too large to be read. */
  passLarge(): void {
    this.pass()
    this.#output.forgetOpen()
  }

  /** Keeps the data of an item that is complete, which is not parsed. */
  finishItem(data: string): void {
    this.#output.finish(data)
  }

  /** Keeps the output of the vendor's own failed response, which is not sent as it is. */
  fail(event: JsonObject): void {
    const { output } = objectAt(event, 'response')
    if (Array.isArray(output) && output.length > 0) this.#output.replace(output)
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
    return { id: this.#id, sequence_number: Math.max(this.#next, this.#nextOwn), output: this.#output.items }
  }
}

/** Characters of one answer that are kept for an error. */
const MAX_KEPT = 512 * 1024

type OpenItem = { readonly item: JsonObject; readonly pieces: string[] }

/** The output that has passed: complete items as their data, open ones with their text. Nothing more is kept of a long answer. */
class OutputSoFar {
  readonly #open = new Map<number, OpenItem>()
  readonly #done: string[] = []
  #left = MAX_KEPT
  #given: readonly unknown[] | undefined

  /** Notes an event that was parsed: the beginning of an item, or a part of its text. */
  note(event: JsonObject): void {
    const { type, item, delta } = event
    const index = countAt(event, 'output_index')
    if (type === 'response.output_item.added' && isObject(item)) this.#open.set(index, { item, pieces: [] })
    else if (typeof delta === 'string' && TEXTS.has(type) && this.#take(delta.length)) this.#open.get(index)?.pieces.push(delta)
  }

  finish(data: string): void {
    if (this.#take(data.length)) this.#done.push(data)
  }

  /** A part of an open item's text is not known. */
  forgetOpen(): void {
    this.#open.clear()
  }

  replace(output: readonly unknown[]): void {
    this.#given = output
  }

  get items(): readonly unknown[] {
    if (this.#given !== undefined) return this.#given
    const items = new Map(Array.from(this.#open, ([index, open]) => [index, toIncomplete(open)]))
    for (const data of this.#done) {
      const event = parseJsonObject(data)
      if (event !== undefined) items.set(countAt(event, 'output_index'), objectAt(event, 'item'))
    }
    return Array.from(items)
      .toSorted(([left], [right]) => left - right)
      .map(([, item]) => item)
  }

  #take(size: number): boolean {
    this.#left -= size
    return this.#left >= 0
  }
}

const TEXTS: ReadonlySet<unknown> = new Set([
  'response.output_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
])

/** An item that was not finished, with the text that was sent of it. */
function toIncomplete({ item, pieces }: OpenItem): JsonObject {
  const text = pieces.join('')
  const status = 'status' in item ? { status: 'incomplete' } : {}
  switch (textAt(item, 'type')) {
    case 'message':
      return { ...item, ...status, content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }] }
    case 'function_call':
      return { ...item, ...status, arguments: text }
    case 'custom_tool_call':
      return { ...item, ...status, input: text }
    default:
      return { ...item, ...status }
  }
}
