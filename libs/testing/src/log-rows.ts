import type { InsertObject } from 'kysely'
import { LogType } from '@tollgate/contracts/enums'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Db } from '@tollgate/db/connect'
import { toHistogram } from '@tollgate/db/duration-histogram'
import { addUsageHours } from '@tollgate/db/queries/ledger/posting'
import type { Database } from '@tollgate/db/schema'

type NewRow = InsertObject<Database, 'logs'>

/** Inserts log rows as posting does, with their hourly usage rollup; returns their ids. */
export async function addLogRows(db: Db, rows: readonly NewRow[]): Promise<number[]> {
  const made = await db
    .insertInto('logs')
    .values(rows)
    .returning(['id', 'created_at', 'user_id', 'token_id', 'channel_id', 'model_name', 'group', 'token_name', 'type', 'quota'])
    .returning(['prompt_tokens', 'completion_tokens', 'use_time'])
    .execute()
  for (const { id: _id, created_at, quota, use_time, ...row } of made) {
    const posted = { requests: 1, quota, token_quota: 0, use_time_ms: 1000 * use_time, logged_requests: 1, logged_quota: quota }
    const durations = row.type === LogType.consume ? { latency: toHistogram(1000 * use_time) } : {}
    await addUsageHours(db, [
      { ...row, ...posted, ...durations, input_tokens: row.prompt_tokens, hour: created_at - (created_at % HOUR_SECONDS) },
    ])
  }
  return made.map(({ id }) => id)
}
