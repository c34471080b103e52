import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'
import type { InjectedFault } from '../fault-injector.ts'
import { POSTGRES_SWAPS } from '../swaps.ts'
import type { ExpectedEntry, OperationRecord } from './operation.ts'

export type BookedEntry = { readonly kind: string; readonly key: string; readonly amount: number; readonly username: string }

export type OperationAudit = {
  /** Number of operations by kind and outcome. */
  readonly counts: ReadonlyMap<string, number>
  readonly entries: number
  /** Entries that no operation explains, twice booked, missing, or of another amount or user; wallets that differ from their entries. */
  readonly wrong: readonly string[]
  /** Booked entries that a Postgres that came back older no longer has. */
  readonly takenBack: number
}

/** Every entry that operations can cause, but for those of tasks (`audit-tasks.ts`); the fault `top-up` books with the note `chaos`. Keys: the reference, but the amount of a transfer and the name of an invited user. That of a code has its amount too, because an older Postgres gives out ids again. */
export async function readBookedEntries(db: Db): Promise<BookedEntry[]> {
  const { rows } = await sql<BookedEntry>`
    select e.kind, u.username, e.amount,
      case e.kind when 'transfer' then e.amount::text when 'invitee' then 'user ' || u.username
        when 'redemption' then e.reference || ':' || e.amount else e.reference end as key
    from wallet_entries e join users u on u.id = e.user_id
    where e.kind in ('top-up', 'refund', 'redemption', 'admin', 'transfer', 'invitee') and not (e.kind = 'top-up' and e.note = 'chaos')
      and e.reference not like 'task:%'
    union all
    select 'reward', i.username, r.amount, 'user ' || u.username
    from invite_rewards r join users u on u.id = r.invitee_id join users i on i.id = r.inviter_id`.execute(db)
  return rows
}

/** Users whose balance is not the sum of their entries, compared without the code of the verifier. */
export async function listUnequalWallets(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s: credited %s, entries %s', username, credited, sum) as line from (
      select u.username, u.credited, coalesce((select sum(amount) from wallet_entries e where e.user_id = u.id), 0) as sum from users u
    ) as one where credited <> sum`.execute(db)
  return rows.map(({ line }) => line)
}

type Input = {
  readonly records: readonly OperationRecord[]
  readonly booked: readonly BookedEntry[]
  readonly unequal: readonly string[]
  readonly injected: readonly InjectedFault[]
}

/** The order in `order:<number>:refunded:<sum>`; of other entries the key itself. */
const orderOf = ({ key }: { readonly key: string }): string => key.split(':refunded:')[0] ?? key

/** Joins the outcomes that clients saw with the booked entries. */
export function auditOperations({ records, booked, unequal, injected }: Input): OperationAudit {
  const counts = new Map<string, number>()
  const wrong: string[] = [...unequal]
  const rollbacks = injected.filter(({ kind }) => POSTGRES_SWAPS.includes(kind))
  const left = Map.groupBy(booked, idOf)
  /** Orders that an older Postgres forgot in part: the provider's statements were booked again, perhaps in another order. */
  const reordered = new Set<string>()
  let takenBack = 0
  for (const record of records) {
    const name = `${record.kind} ${record.outcome}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const isTakenBack = rollbacks.some(({ from, to }) => record.started_at <= (to || Infinity) && record.ended_at >= from)
    if (isTakenBack) for (const expected of record.entries) reordered.add(orderOf(expected))
    for (const expected of record.entries) {
      const found = left.get(idOf(expected)) ?? []
      left.delete(idOf(expected))
      const finding = checkEntry(record, expected, found)
      if (finding === undefined) continue
      if (finding === MISSING && isTakenBack) takenBack += 1
      else wrong.push(`${name}: ${finding} ${describe(expected)}, found ${found.map(describe).join('; ') || 'nothing'}`)
    }
  }
  for (const entry of [...left.values()].flat()) {
    if (reordered.has(orderOf(entry))) takenBack += 1
    else wrong.push(`no operation explains ${describe(entry)}`)
  }
  return { counts, entries: booked.length, wrong, takenBack }
}

const MISSING = 'missing'

function checkEntry(record: OperationRecord, expected: ExpectedEntry, found: readonly BookedEntry[]): string | undefined {
  const [entry] = found
  if (found.length > 1) return 'booked twice'
  if (entry === undefined) return record.outcome === 'booked' ? MISSING : undefined
  if (record.outcome === 'refused') return 'booked although refused'
  const isRight = entry.amount === expected.amount && expected.usernames.includes(entry.username)
  return isRight ? undefined : 'another amount or user'
}

const idOf = ({ kind, key }: { readonly kind: string; readonly key: string }): string => `${kind} ${key}`

const describe = ({ kind, key, amount, ...of }: BookedEntry | ExpectedEntry): string =>
  `${kind} ${key} ${amount} of ${'username' in of ? of.username : of.usernames.join(' or ')}`
