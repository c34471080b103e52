import { sql } from 'kysely'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '../../connect.ts'
import { listLogPage, type LogPage, type ReplayPosition } from '../prices/price-replays.ts'

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

/** The next requests, corrections and refunds. */
export function listBilledRows(db: Db, page: LogPage): Promise<BilledRow[]> {
  return listLogPage(db, page, {
    columns: sql`channel_id, model_name, state, quota::float8 as quota, usage::text as usage,
      jsonb_hash_extended(quote, 0)::text as quote, (explanation->'attempts')::text as attempts, explanation->>'ended_by' as ended_by`,
    where: sql`state <> ''`,
  })
}

/** The time of the oldest log entry; 0: there is none. */
export async function findFirstLogTime(db: Db): Promise<UnixSeconds> {
  const { rows } = await sql<{ first: UnixSeconds | null }>`select min(created_at) as first from logs`.execute(db)
  return rows[0]?.first ?? 0
}
