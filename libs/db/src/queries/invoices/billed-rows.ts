import { sql } from 'kysely'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '../../connect.ts'
import { withFactTexts, type WithEvent } from '../../logged-event.ts'
import { logStoreOf } from '../../log-store.ts'
import { inKeyOrder, listLogPage, type LogPage, type ReplayPosition } from '../prices/price-replays.ts'

/** A log entry as far as a vendor's charge depends on it; `quote` is a hash, because millions of requests share few quotes. */
export type BilledRow = ReplayPosition & {
  readonly channel_id: number
  readonly model_name: string
  readonly state: string
  readonly quota: Quota
  readonly usage: string | null
  readonly quote: string | null
  readonly attempts: string | null
  readonly ended_by: string | null
}

const BILLED_COLUMNS = ['id', 'created_at', 'channel_id', 'model_name', 'state', 'quota', 'usage', 'quote', 'explanation'] as const

/** The next requests, corrections and refunds. */
export async function listBilledRows(db: Db, page: LogPage): Promise<BilledRow[]> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const rows = await store.select({ ...inKeyOrder(page, BILLED_COLUMNS), has: ['request_id', 'state'] })
    return rows.map(({ usage, quote, explanation, ...row }) =>
      toBilledRow({ ...row, usage: usage || null, quote: quote || null, explanation: explanation || null }),
    )
  }
  const read = await listLogPage<WithEvent<Explained>>(db, page, {
    columns: sql`channel_id, model_name, state, quota::float8 as quota, usage::text as usage,
      jsonb_hash_extended(quote, 0)::text as quote, explanation::text as explanation, event`,
    where: sql`state <> ''`,
  })
  return read.map((row) => toBilledRow(withFactTexts(row)))
}

type Explained = Omit<BilledRow, 'attempts' | 'ended_by'> & { readonly explanation: string | null }

function toBilledRow({ explanation, ...row }: Explained): BilledRow {
  const { attempts, ended_by } = (explanation === null ? {} : JSON.parse(explanation)) as Partial<StoredExplanation> // posting wrote it
  return { ...row, attempts: attempts === undefined ? null : JSON.stringify(attempts), ended_by: ended_by ?? null }
}

/** The time of the oldest log entry; 0: there is none. */
export async function findFirstLogTime(db: Db): Promise<UnixSeconds> {
  const store = logStoreOf(db)
  if (store !== undefined) return (await store.select({ columns: ['created_at'], order: 'oldest', limit: 1 }))[0]?.created_at ?? 0
  const { rows } = await sql<{ first: UnixSeconds | null }>`select min(created_at) as first from logs`.execute(db)
  return rows[0]?.first ?? 0
}
