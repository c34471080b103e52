import { WALLET_ENTRY_KINDS, type WalletEntryKind } from '@tollgate/contracts/enums'
import type { WalletEntry } from '@tollgate/contracts/resources/statements'
import { DAY_SECONDS, type Quota, type UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import type { Span } from '../../spans.ts'
import { listUserDays, type UserDay } from '../usage/user-usage.ts'

const SHOWN = ['id', 'created_at', 'kind', 'amount', 'reference', 'note'] as const

type Row = Omit<WalletEntry, 'kind'> & { readonly kind: string }

/** One page of a user's wallet entries, newest first, and their number. */
export async function listWalletEntries(
  db: Db | Tx,
  { user_id, limit, offset }: { readonly user_id: number; readonly limit: number; readonly offset: number },
): Promise<{ items: WalletEntry[]; total: number }> {
  const own = db.selectFrom('wallet_entries').where('user_id', '=', user_id)
  const rows = await own.select(SHOWN).orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: rows.map(toEntry), total }
}

export type StatementParts = {
  /** The balance at the start of the span, and at its end. */
  readonly opening: Quota
  readonly closing: Quota
  /** Oldest first, at most `limit`. */
  readonly entries: readonly WalletEntry[]
  readonly days: readonly UserDay[]
}

/** The parts of a statement. Call within one repeatable-read transaction. Undefined: no such user. */
export async function findStatement(
  tx: Tx,
  { user_id, from, until, limit }: Span & { readonly user_id: number; readonly limit: number },
): Promise<StatementParts | undefined> {
  const user = await tx.selectFrom('users').select(['credited', 'spent']).where('id', '=', user_id).executeTakeFirst()
  if (user === undefined) return undefined
  const { rows } = await sql<{ since_from: Quota; since_until: Quota }>`
    select coalesce(sum(amount), 0)::bigint as since_from, coalesce(sum(amount) filter (where created_at >= ${until}), 0)::bigint as since_until
    from wallet_entries where user_id = ${user_id} and created_at >= ${from}`.execute(tx)
  const { since_from = 0, since_until = 0 } = rows[0] ?? {}
  const net = await listUserDays(tx, { user_id, from, until: Number.MAX_SAFE_INTEGER })
  const days = withRefunds(net, await listTaskRefunds(tx, { user_id, from }))
  const spentSince = (at: number): Quota => days.reduce((sum, { day, quota }) => (day >= at ? sum + quota : sum), 0)
  const balance = user.credited - user.spent
  const entries = await tx
    .selectFrom('wallet_entries')
    .select(SHOWN)
    .where('user_id', '=', user_id)
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return {
    opening: balance - since_from + spentSince(from),
    closing: balance - since_until + spentSince(until),
    entries: entries.map(toEntry),
    days: days.filter(({ day }) => day < until),
  }
}

type Refunds = ReadonlyMap<UnixSeconds, Quota>

/** Refunds of failed tasks, by day. */
async function listTaskRefunds(tx: Tx, { user_id, from }: { readonly user_id: number; readonly from: UnixSeconds }): Promise<Refunds> {
  const { rows } = await sql<{ day: UnixSeconds; amount: Quota }>`
    select (created_at - created_at % ${DAY_SECONDS}::bigint) as day, sum(amount)::bigint as amount from wallet_entries
    where user_id = ${user_id} and kind = 'refund' and reference like 'task:%' and created_at >= ${from} group by 1`.execute(tx)
  return new Map(rows.map(({ day, amount }) => [day, amount]))
}

/** The days before refunds, which a statement lists as entries of their own. */
function withRefunds(days: readonly UserDay[], refunds: Refunds): UserDay[] {
  const known = new Set(days.map(({ day }) => day))
  const others = [...refunds.keys()].filter((day) => !known.has(day)).map((day) => ({ day, quota: 0, requests: 0 }))
  return [...days, ...others]
    .map((one) => ({ ...one, quota: one.quota + (refunds.get(one.day) ?? 0) }))
    .filter(({ quota, requests }) => quota !== 0 || requests !== 0)
    .toSorted((a, b) => a.day - b.day)
}

function toEntry(row: Row): WalletEntry {
  return { ...row, kind: kindOf(row.kind) }
}

/** The column is text; services write only known kinds. */
function kindOf(text: string): WalletEntryKind {
  return WALLET_ENTRY_KINDS.find((kind) => kind === text) ?? 'import'
}
