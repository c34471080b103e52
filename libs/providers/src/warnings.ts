/** What a conversion could not carry over: at most 12 distinct entries, in order of first appearance. */
export class Warnings {
  readonly #entries = new Set<string>()

  add(entry: string): void {
    if (this.#entries.size < MAX) this.#entries.add(entry)
  }

  get entries(): readonly string[] {
    return [...this.#entries]
  }
}

const MAX = 12
