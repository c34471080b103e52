/** Collects what could not be said, each thing once, in order, and not without end. */
export class Losses {
  readonly #words = new Set<string>()
  readonly #most: number

  constructor(most = 64) {
    this.#most = most
  }

  add(word: string): void {
    if (this.#words.size < this.#most) this.#words.add(word)
  }

  get list(): readonly string[] {
    return [...this.#words]
  }
}
