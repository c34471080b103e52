import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'

/** Counts of one check while it runs. Keeps only the first differences, so that memory stays bounded. */
export class Tally {
  readonly #check: string
  readonly #first: string[] = []
  #compared = 0
  #differences = 0

  constructor(check: string) {
    this.#check = check
  }

  count(count = 1): void {
    this.#compared += count
  }

  /** `more`: differences beyond those in `lines`. */
  differ(lines: readonly string[], more = 0): void {
    this.#differences += lines.length + more
    this.#first.push(...lines.slice(0, Math.max(0, KEPT - this.#first.length)))
  }

  result(): LedgerCheck {
    return { check: this.#check, compared: this.#compared, differences: this.#differences, first: [...this.#first] }
  }
}

const KEPT = 10
