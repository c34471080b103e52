import { sql } from 'kysely'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '../../connect.ts'
import { readInKeyOrder, type ReplayPosition } from '../prices/price-replays.ts'

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

type Page = { readonly after: ReplayPosition; readonly until: UnixSeconds; readonly limit: number }

/** The next requests, corrections and refunds after `after` and before `until` in key order. */
export function listBilledRows(db: Db, { after, until, limit }: Page): Promise<BilledRow[]> {
  const page = sql<BilledRow>`
    select id, created_at, channel_id, model_name, state, quota::float8 as quota, usage::text as usage,
      jsonb_hash_extended(quote, 0)::text as quote, (explanation->'attempts')::text as attempts, explanation->>'ended_by' as ended_by
    from logs
    where created_at >= ${after.created_at} and created_at < ${until} and (created_at, id) > (${after.created_at}, ${after.id})
      and request_id <> '' and state <> ''
    order by created_at, id limit ${limit}`
  return readInKeyOrder(db, page)
}

/** The time of the oldest log entry; 0: there is none. */
export async function findFirstLogTime(db: Db): Promise<UnixSeconds> {
  const { rows } = await sql<{ first: UnixSeconds | null }>`select min(created_at) as first from logs`.execute(db)
  return rows[0]?.first ?? 0
}
