/** Insertions after which the map is rebuilt. */
const REBUILD_AFTER = 1024

/**
 * A map for short-lived entries in a long-running process.
 *
 * V8 gives a Map a new table when its old one is full of deleted entries, and each old table points to its successor. Once one table
 * has reached the old generation, all later tables, and every entry that was in one of them when it was replaced, survive until the
 * next full collection: at a thousand requests per second about 12 KB of each request, copied twice. A map that is rebuilt now and then
 * has no such chain (docs/performance.md).
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
    if (this.#insertions > REBUILD_AFTER && this.#insertions > 2 * this.#map.size) {
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
