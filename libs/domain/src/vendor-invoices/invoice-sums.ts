import type { InvoiceSums } from '@tollgate/contracts/resources/vendor-invoices'
import { Decimal } from '../pricing/decimal.ts'

/** Amounts of an invoice for an account, model and day; null: it does not state them. `input` includes cached tokens. */
export type BilledLine = {
  readonly account: string
  readonly model: string
  readonly day: string
  readonly requests: number | null
  readonly input: number | null
  readonly cached: number | null
  readonly output: number | null
  readonly dollars: Decimal | null
}
export type Billed = Pick<BilledLine, 'requests' | 'input' | 'cached' | 'output' | 'dollars'>

export const NOTHING_BILLED: Billed = { requests: null, input: null, cached: null, output: null, dollars: null }

const plus = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0))

export const addBilled = (a: Billed, b: Billed): Billed => ({
  requests: plus(a.requests, b.requests),
  input: plus(a.input, b.input),
  cached: plus(a.cached, b.cached),
  output: plus(a.output, b.output),
  dollars: a.dollars === null ? b.dollars : a.dollars.plus(b.dollars ?? Decimal.zero),
})

export const toInvoiceSums = ({ dollars, ...counts }: Billed): InvoiceSums => ({
  requests: counts.requests,
  input: counts.input,
  cached: counts.cached,
  output: counts.output,
  dollars: dollars?.toString() ?? null,
})

/** Adds up the rows of an invoice. */
export class InvoiceTally {
  readonly #lines = new Map<string, BilledLine>()

  add(row: BilledLine): void {
    const key = JSON.stringify([row.account, row.model, row.day])
    const before = this.#lines.get(key)
    const { account, model, day } = row
    this.#lines.set(key, before === undefined ? row : { account, model, day, ...addBilled(before, row) })
  }

  /** The sums in the order of days and models, without those that state nothing. */
  lines(): BilledLine[] {
    const isStated = ({ requests, input, output, dollars }: BilledLine): boolean =>
      Boolean(requests) || Boolean(input) || Boolean(output) || !(dollars ?? Decimal.zero).isZero
    return [...this.#lines.values()].filter(isStated).toSorted((a, b) => compare(a.day, b.day) || compare(a.model, b.model))
  }
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
