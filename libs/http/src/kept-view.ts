import type { UnixMillis } from '@tollgate/contracts/units'

type Inputs<T> = {
  readonly read: () => Promise<T>
  readonly now: () => UnixMillis
  readonly onError: (cause: unknown) => void
  /** How long what was read is returned without another read. */
  readonly freshMs: number
}

/** Until then an older one is sent while it is read again; that there was none is not. */
const STALE_MS = 300_000
/** After a failure nothing is read for so long. */
const RETRY_MS = 2000

/** The read failed lately, and nothing that was read before is young enough. */
class NothingKept extends Error {}

/** Keeps what was read, and reads again one at a time: a flood of calls reads as often as a single caller does. */
export class KeptView<T> {
  readonly #inputs: Inputs<T>
  #kept: { readonly value: T; readonly read_at: UnixMillis } | undefined
  #reading: Promise<T> | undefined
  #retry_at: UnixMillis = 0

  constructor(inputs: Inputs<T>) {
    this.#inputs = inputs
  }

  async get(): Promise<T> {
    const now = this.#inputs.now()
    const age = this.#kept === undefined ? Number.POSITIVE_INFINITY : now - this.#kept.read_at
    if (this.#kept !== undefined && age < this.#inputs.freshMs) return this.#kept.value
    const isWaiting = this.#reading === undefined && now < this.#retry_at
    if (!isWaiting) this.#reading ??= this.#read()
    if (this.#kept?.value !== undefined && age < STALE_MS) {
      this.#reading?.catch(() => undefined) // reported where it failed
      return this.#kept.value
    }
    if (this.#reading === undefined) throw new NothingKept('the last read failed')
    return await this.#reading
  }

  async #read(): Promise<T> {
    const { read, now, onError } = this.#inputs
    try {
      const value = await read()
      this.#kept = { value, read_at: now() }
      return value
    } catch (cause) {
      this.#retry_at = now() + RETRY_MS
      onError(cause)
      throw new NothingKept('the read failed', { cause })
    } finally {
      this.#reading = undefined
    }
  }
}
