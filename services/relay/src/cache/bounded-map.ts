/**
 * A map with two generations that drops the least recently used entries: when the young generation is full it replaces the old one. A
 * hit costs one look-up. The last `capacity` used entries are always present; at most twice as many are kept.
 */
export class BoundedMap<V> {
  readonly #capacity: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity)
  }

  get(key: string): V | undefined {
    const found = this.#young.get(key)
    if (found !== undefined) return found
    const older = this.#old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#capacity && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
