import type { JsonObject } from './json.ts'

/** Parts that a conversion could not carry: at most 12 distinct entries, in order of first appearance. */
export class Warnings {
  readonly #entries = new Set<string>()

  add(entry: string): void {
    if (this.#entries.size < MAX) this.#entries.add(entry)
  }

  /** Adds the fields of a request that are not carried over. */
  addOthers(body: JsonObject, known: ReadonlySet<string>): void {
    for (const field of Object.keys(body)) if (!known.has(field)) this.add(field)
  }

  get entries(): readonly string[] {
    return [...this.#entries]
  }
}

const MAX = 12
