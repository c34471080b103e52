import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'

/** An event as clients accept it; absent fields are right as they are. */
export type RepairedEvent = { readonly event?: string; readonly data?: JsonObject }

/**
 * Repairs the events of a Messages stream that Anthropic's own clients drop or fail on: data without an event line, blocks that are not
 * numbered from 0, missing usage. Seen with @anthropic-ai/sdk 1.14: 2026-11-27.
 */
export class EventRepair {
  /** Repairs that were made, each once. */
  readonly done = new Set<string>()
  readonly #blocks = new Map<number, number>()
  #isStopped = false

  /** Ends the repair, because blocks may begin in an event that is not read. */
  stop(): void {
    this.#isStopped = true
  }

  /** Undefined: the event is right. */
  repair(event: JsonObject, name: string | undefined): RepairedEvent | undefined {
    const type = textAt(event, 'type')
    if (type === undefined || this.#isStopped) return undefined
    const data = this.#repairIndex(type, event) ?? this.#repairUsage(type, event)
    if (name !== type) this.done.add('event')
    return data === undefined && name === type ? undefined : { event: type, ...(data === undefined ? {} : { data }) }
  }

  #repairIndex(type: string, event: JsonObject): JsonObject | undefined {
    const { index } = event
    if (!type.startsWith('content_block_') || typeof index !== 'number') return undefined
    if (type === 'content_block_start' && !this.#blocks.has(index)) this.#blocks.set(index, this.#blocks.size)
    const right = this.#blocks.get(index) ?? index
    if (right === index) return undefined
    this.done.add('index')
    return { ...event, index: right }
  }

  /** The numbers are not known here; clients add them up. */
  #repairUsage(type: string, event: JsonObject): JsonObject | undefined {
    if (type === 'message_delta' && !isObject(event['usage'])) return this.#withUsage(event, { output_tokens: 0 })
    const message = objectAt(event, 'message')
    if (type !== 'message_start' || isObject(message['usage'])) return undefined
    return { ...event, message: this.#withUsage(message, { input_tokens: 0, output_tokens: 0 }) }
  }

  #withUsage(object: JsonObject, usage: JsonObject): JsonObject {
    this.done.add('usage')
    return { ...object, usage }
  }
}
