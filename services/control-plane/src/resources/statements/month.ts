import { AppError } from '@tollgate/contracts/app-error'
import type { StatementLine, WalletEntry } from '@tollgate/contracts/resources/statements'
import { DAY_SECONDS, type Quota, type UnixSeconds } from '@tollgate/contracts/units'
import { utcDay } from '@tollgate/contracts/values/utc-day'

type Month = { readonly month: string; readonly from: UnixSeconds; readonly until: UnixSeconds }
type Day = { readonly day: UnixSeconds; readonly quota: Quota; readonly requests: number }

/** The month that a text like `2026-11` names, in UTC as the sums of usage; empty: the one of `now`. */
export function monthOf(text: string, now: UnixSeconds): Month {
  const month = text === '' ? new Date(now * 1000).toISOString().slice(0, 7) : text
  const [, year = '', number = ''] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year === '') throw new AppError('params.invalid')
  const start = (at: number): UnixSeconds => Date.UTC(Number(year), at, 1) / 1000
  return { month, from: start(Number(number) - 1), until: start(Number(number)) }
}

/** Entries and days in the order of time, each with the balance after it. A day's usage is written at its end. */
export function linesOf(opening: Quota, entries: readonly WalletEntry[], days: readonly Day[]): StatementLine[] {
  const lines = [
    ...entries.map(({ created_at, kind, amount, reference, note }) => ({ at: created_at, kind, amount, reference, note, requests: 0 })),
    ...days.map(({ day, quota, requests }) => ({
      at: day + DAY_SECONDS - 1,
      kind: 'usage' as const,
      amount: 0 - quota,
      reference: utcDay(day),
      note: '',
      requests,
    })),
  ].toSorted((a, b) => a.at - b.at)
  let balance = opening
  return lines.map((line) => {
    balance += line.amount
    return { ...line, balance }
  })
}
