/** Insertions after which the map is made anew. */
const RENEW = 1024

/**
 * A map for entries that come and go all the time, in a process that lives long.
 *
 * V8 gives a Map a new table whenever its old one is full of entries that were deleted, and each outgrown table points to its
 * successor. Once one of them has reached the old generation, all that follow, and every entry that was open when one of them was
 * left, survive until the next full collection: at a thousand requests a second some 12 KB of each request, copied twice. A map that
 * is made anew now and then has no such ancestors (docs/performance.md).
 */
export class TtlMap<V> {
  #map = new Map<string, V>()
  #insertions = 0

  get size(): number {
    return this.#map.size
  }

  has(key: string): boolean {
    return this.#map.has(key)
  }

  get(key: string): V | undefined {
    return this.#map.get(key)
  }

  set(key: string, value: V): void {
    this.#insertions += 1
    if (this.#insertions > RENEW && this.#insertions > 2 * this.#map.size) {
      this.#map = new Map(this.#map)
      this.#insertions = 0
    }
    this.#map.set(key, value)
  }

  delete(key: string): void {
    this.#map.delete(key)
  }

  values(): IteratorObject<V> {
    return this.#map.values()
  }
}
