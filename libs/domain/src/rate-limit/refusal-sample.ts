/** Numbers of one token's refused requests that were already kept in a minute. */
export type Kept = { readonly ofToken: number; readonly ofReason: number }

/** A third of a token's rows at most have the same reason, so that a flood of one does not hide another. */
const SHARE_OF_A_REASON = 3

/** True if one more refused request gets a log row. */
export function isSampled({ ofToken, ofReason }: Kept, max: number): boolean {
  return ofToken < max && ofReason < Math.ceil(max / SHARE_OF_A_REASON)
}

/** Counts the rows that tokens got in a minute. */
export class RefusalSample {
  readonly #ofToken = new Map<string, number>()
  readonly #ofReason = new Map<string, number>()

  /** Adds rows that were counted elsewhere. */
  add({ minute, token_id, reason }: Slot, rows: number): void {
    const token = `${minute} ${token_id}`
    this.#ofToken.set(token, (this.#ofToken.get(token) ?? 0) + rows)
    this.#ofReason.set(`${token} ${reason}`, (this.#ofReason.get(`${token} ${reason}`) ?? 0) + rows)
  }

  /** Takes a place for one row; false when the token or the reason has its share. */
  take(slot: Slot, max: number): boolean {
    const token = `${slot.minute} ${slot.token_id}`
    const kept = { ofToken: this.#ofToken.get(token) ?? 0, ofReason: this.#ofReason.get(`${token} ${slot.reason}`) ?? 0 }
    if (!isSampled(kept, max)) return false
    this.add(slot, 1)
    return true
  }

  get tokens(): number {
    return this.#ofToken.size
  }

  clear(): void {
    this.#ofToken.clear()
    this.#ofReason.clear()
  }
}

type Slot = { readonly minute: number; readonly token_id: number; readonly reason: string }
