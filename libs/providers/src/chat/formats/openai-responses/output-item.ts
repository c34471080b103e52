import type { JsonObject } from '../../../json.ts'

/** Takes an event of the format without its sequence number; `type` is its first key. */
export type Emit = (event: JsonObject & { readonly type: string }) => void

/** Limits the characters of one answer that are kept to be repeated. */
export class TextBudget {
  #left = MAX_CHARACTERS

  /** The part of the text that can still be kept. */
  take(text: string): string {
    const kept = text.slice(0, this.#left)
    this.#left -= kept.length
    return kept
  }
}

/** The protocol repeats the whole answer in its last events. No model writes more; a generated image is a few million characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024

type ItemContext = { readonly emit: Emit; readonly budget: TextBudget; readonly id: string; readonly index: number }

/** An output item that is being written. `close` emits the remaining events and completes it. */
export abstract class OutputItem {
  protected readonly context: ItemContext
  #item: JsonObject | undefined

  constructor(context: ItemContext) {
    this.context = context
  }

  /** The item in its current state. */
  protected abstract toJson(status: string): JsonObject
  /** Emits the events that close what is open inside the item. */
  protected abstract end(): void

  open(): void {
    this.context.emit({ type: 'response.output_item.added', output_index: this.context.index, item: this.toJson('in_progress') })
  }

  /** A closed item does not change any more. */
  close(status: 'completed' | 'incomplete' = 'completed'): void {
    if (this.#item !== undefined) return
    this.end()
    this.#item = this.toJson(status)
    this.context.emit({ type: 'response.output_item.done', output_index: this.context.index, item: this.#item })
  }

  get isClosed(): boolean {
    return this.#item !== undefined
  }

  get item(): JsonObject {
    return this.#item ?? this.toJson('incomplete')
  }

  /** The position of events inside this item. */
  protected get here(): { readonly item_id: string; readonly output_index: number } {
    return { item_id: this.context.id, output_index: this.context.index }
  }
}

/** An item that is complete when it arrives. */
export class WholeItem extends OutputItem {
  readonly #raw: JsonObject

  constructor(context: ItemContext, raw: JsonObject) {
    super(context)
    this.#raw = raw
  }

  protected toJson(status: string): JsonObject {
    return { id: this.context.id, ...this.#raw, status: status === 'in_progress' ? status : (this.#raw['status'] ?? status) }
  }

  protected end(): void {
    // Nothing is open inside it.
  }
}
