type Bytes<V> = {
  readonly max: number
  /** Approximate bytes of a value; those of its key are added. */
  readonly of: (value: V) => number
}

/**
 * A map with two generations that drops the least recently used entries: when the young generation is full it replaces the old one. A
 * hit costs one look-up. The last `capacity` used entries are always present, unless they exceed `bytes.max`; at most twice as many are
 * kept.
 */
export class BoundedMap<V, K extends string | number = string> {
  readonly #capacity: number
  readonly #bytes: Bytes<V> | undefined
  #young = new Map<K, V>()
  #old = new Map<K, V>()
  #youngBytes = 0

  constructor(capacity: number, bytes?: Bytes<V>) {
    this.#capacity = Math.max(1, capacity)
    this.#bytes = bytes
  }

  get(key: K): V | undefined {
    const found = this.#young.get(key)
    if (found !== undefined) return found
    const older = this.#old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: K, value: V): void {
    const size = this.#sizeOf(key, value)
    this.#forgetYoung(key)
    const isFull = this.#young.size >= this.#capacity || (this.#young.size > 0 && this.#youngBytes + size > (this.#bytes?.max ?? Infinity))
    if (isFull) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, value)
    this.#youngBytes += size
  }

  delete(key: K): void {
    this.#forgetYoung(key)
    this.#old.delete(key)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  #forgetYoung(key: K): void {
    const before = this.#young.get(key)
    if (before === undefined) return
    this.#young.delete(key)
    this.#youngBytes -= this.#sizeOf(key, before)
  }

  #sizeOf(key: K, value: V): number {
    return this.#bytes === undefined ? 0 : (typeof key === 'string' ? 2 * key.length : 8) + this.#bytes.of(value)
  }
}
