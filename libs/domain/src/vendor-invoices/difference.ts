import type { UnixSeconds } from '@tollgate/contracts/units'
import { Decimal } from '../pricing/decimal.ts'
import type { DaySpan } from './days.ts'
import type { Billed, BilledLine } from './invoice-sums.ts'
import type { Recorded, RecordedUsage } from './recorded-usage.ts'

export type Comparison = {
  readonly billed: readonly BilledLine[]
  readonly recorded: RecordedUsage
  readonly days: readonly DaySpan[]
  readonly channel_ids: readonly number[]
  readonly accounts: Readonly<Record<string, number>>
  /** When the file was made, as far as it is known: later requests, and those shortly before, are not billed yet. */
  readonly closed_at: UnixSeconds
}

/** Both sides of a channel, model and day. */
export type Pair = {
  /** 0: all channels of the invoice that no account names. */
  readonly channel_id: number
  /** The channels whose requests are meant. */
  readonly channel_ids: readonly number[]
  readonly model: string
  readonly span: DaySpan
  readonly vendor: Billed | undefined
  readonly own: Recorded | undefined
}

/** Which amounts the invoice states: others are not compared. */
export type Stated = { readonly tokens: boolean; readonly cached: boolean; readonly requests: boolean; readonly dollars: boolean }

export function statedBy(billed: readonly Billed[]): Stated {
  return {
    tokens: billed.some(({ input }) => input !== null),
    cached: billed.some(({ cached }) => cached !== null),
    requests: billed.some(({ requests }) => requests !== null),
    dollars: billed.some(({ dollars }) => dollars !== null),
  }
}

/** Vendors round amounts of a day. */
const HALF_CENT = Decimal.parse('0.005')
const THOUSANDTH = Decimal.parse('0.001')

/** Two amounts differ by more than rounding: half a cent, and a thousandth. */
export function dollarsDiffer(vendor: Decimal, own: Decimal): boolean {
  const over = abs(vendor.minus(own))
  return over.isGreaterThan(HALF_CENT) && over.isGreaterThan(abs(own).times(THOUSANDTH))
}

const abs = (value: Decimal): Decimal => (Decimal.zero.isGreaterThan(value) ? Decimal.zero.minus(value) : value)

/** The vendor's tokens less the recorded ones. */
export function tokenDifference({ vendor, own }: Pick<Pair, 'vendor' | 'own'>, stated: Stated) {
  return {
    input: stated.tokens ? (vendor?.input ?? 0) - (own?.input ?? 0) : 0,
    output: stated.tokens ? (vendor?.output ?? 0) - (own?.output ?? 0) : 0,
    cached: stated.cached ? (vendor?.cached ?? 0) - (own?.cached ?? 0) : 0,
  }
}

export function differs(pair: Pair, stated: Stated): boolean {
  const { input, output, cached } = tokenDifference(pair, stated)
  if (input !== 0 || output !== 0 || cached !== 0) return true
  if (stated.requests && !stated.tokens && (pair.vendor?.requests ?? 0) !== (pair.own?.requests ?? 0)) return true
  return stated.dollars && dollarsDiffer(pair.vendor?.dollars ?? Decimal.zero, pair.own?.dollars ?? Decimal.zero)
}
