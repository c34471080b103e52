import { sql } from 'kysely'
import type { WhatIfCandidate, WhatIfReport, WhatIfResult, WhatIfRun, WhatIfState } from '@tollgate/contracts/resources/what-if'
import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { CallTally, type ObservedCalls } from '@tollgate/domain/channel-health/observed-calls'
import type { Db, Tx } from '../../connect.ts'
import { withFactTexts, type WithEvent } from '../../logged-event.ts'
import { readRecentLogs } from './recent-logs.ts'
import { toJsonb } from '../../jsonb.ts'
import { withStatements } from '../../statement-limits.ts'
import { listLogPage, type LogPage, type ReplayPosition } from '../prices/price-replays.ts'
import { cancelOpenRuns, finishRun, OPEN_STATES, reportRun, type Ending } from '../prices/replay-runs.ts'

const LISTED = ['id', 'state', 'since', 'until', 'candidate', 'requested_by', 'created_at', 'finished_at', 'done', 'total'] as const
/** Replays that are kept. */
const KEPT = 20

type NewRun = Pick<WhatIfRun, 'since' | 'until' | 'candidate' | 'requested_by' | 'created_at' | 'total'>

/** Orders a replay; earlier ones that have not finished are cancelled, and the oldest are forgotten. */
export async function createWhatIf(tx: Tx, { candidate, ...run }: NewRun): Promise<WhatIfRun> {
  await cancelOpenRuns(tx, 'what_ifs', run.created_at)
  await sql`delete from what_ifs where id not in (select id from what_ifs order by id desc limit ${KEPT - 1})`.execute(tx)
  return await tx
    .insertInto('what_ifs')
    .values({ ...run, candidate: toJsonb(candidate) })
    .returning(LISTED)
    .$narrowType<{ state: WhatIfState }>()
    .executeTakeFirstOrThrow()
}

/** The replays that are kept, newest first. */
export async function listWhatIfs(db: Db): Promise<WhatIfRun[]> {
  return await db.selectFrom('what_ifs').select(LISTED).$narrowType<{ state: WhatIfState }>().orderBy('id', 'desc').limit(KEPT).execute()
}

export async function findWhatIf(db: Db, id: number): Promise<WhatIfReport | undefined> {
  return await db
    .selectFrom('what_ifs')
    .select([...LISTED, 'result'])
    .$narrowType<{ state: WhatIfState }>()
    .where('id', '=', id)
    .executeTakeFirst()
}

type Order = { readonly since: UnixSeconds; readonly until: UnixSeconds; readonly candidate: WhatIfCandidate }

/** Marks a replay as running and gives its order; undefined when it has ended. */
export async function startWhatIf(db: Db, id: number): Promise<Order | undefined> {
  return await db
    .updateTable('what_ifs')
    .set({ state: 'running', done: 0 })
    .where('id', '=', id)
    .where('state', 'in', OPEN_STATES)
    .returning(['since', 'until', 'candidate'])
    .executeTakeFirst()
}

/** Stores the progress; false when the replay was cancelled. */
export const reportWhatIf = (db: Db, id: number, done: number): Promise<boolean> => reportRun(db, 'what_ifs', { id, done })

/** Ends a replay that has not ended; false when it has. */
export const finishWhatIf = (db: Db, id: number, ending: Ending<WhatIfResult>): Promise<boolean> => finishRun(db, 'what_ifs', id, ending)

/** A finished request as its log row has it; `quote` is a hash, because millions of requests share few quotes. */
export type RecordedRow = ReplayPosition & {
  readonly user_id: number
  readonly username: string
  readonly channel_id: number
  readonly model_name: string
  readonly group: string
  readonly quota: Quota
  readonly use_time: number
  readonly usage: string | null
  readonly quote: string | null
  readonly explanation: string | null
}

/** The next requests, without later corrections and refunds. */
export async function listRecordedRows(db: Db, page: LogPage): Promise<RecordedRow[]> {
  const rows = await listLogPage<WithEvent<RecordedRow>>(db, page, {
    columns: sql`user_id, username, channel_id, model_name, "group", quota::float8 as quota, use_time::float8 as use_time,
      usage::text as usage, jsonb_hash_extended(quote, 0)::text as quote, explanation::text as explanation, event`,
    where: sql`type = any(array[${LogType.consume}, ${LogType.error}]::int[]) and state in ('settled', 'estimated', 'released')`,
  })
  return rows.map(withFactTexts)
}

type Range = { readonly since: UnixSeconds; readonly until: UnixSeconds; readonly most: number }

/**
 * The calls of the newest requests of a time. Calls that their client broke off are left out, and so are refusals that were not repeated
 * although attempts were left: these are the request's own.
 */
export async function listObservedCalls(db: Db, { since, until, most }: Range): Promise<ObservedCalls[]> {
  const condition = { since, until, has: 'explanation', states: ['settled', 'estimated', 'released'] } as const
  const tally = new CallTally()
  await withStatements('batch', () =>
    db.transaction().execute(async (tx) => {
      for await (const rows of readRecentLogs(tx, condition, most)) for (const row of rows) tally.add(row)
    }),
  )
  return tally.rows()
}
