import { insertLogs, addUsageHours } from '@tollgate/db/queries/ledger/posting'
import {
  addRefusalCounts,
  addRefusalMinutes,
  addRefusals,
  listRefusalMinutes,
  lockRefusalCursor,
  updateRefusalCursor,
} from '@tollgate/db/queries/logs/refusals'
import { hasRefusals, readRefusals, removeRefusals } from '@tollgate/redis/stores/refusal-stream'
import type { Deps } from '../deps.ts'
import { getOption } from '../channels/incidents.ts'
import { applyBatches, minuteOf } from './apply-batches.ts'

type RefusalDeps = Pick<Deps, 'db' | 'redis' | 'now'> & { readonly log: Pick<Deps['log'], 'warn'> }

const BATCHES_AT_ONCE = 50
/** How long the rows of a minute are remembered: batches that a relay could not send for longer start a new share. */
const MINUTES_KEPT_S = 3600
/** Ranges that begin within an hour are mostly recent; older ones count that hour whole. */
const COUNTS_KEPT_S = 35 * 24 * 3600

/**
 * Writes the next refused requests to the log. Each batch is applied once: its position is kept in the transaction of its rows. Returns
 * the number of applied batches; call again until it is 0.
 */
export async function postRefusals(deps: RefusalDeps): Promise<number> {
  const { db, redis, log, now } = deps
  if (!(await hasRefusals(redis))) return 0
  const perMinute = await getOption(deps, 'LogRefusedPerMinute')
  const ids = await db.transaction().execute(async (tx) => {
    const after = await lockRefusalCursor(tx)
    if (after === undefined) return []
    const read = await readRefusals(redis, after, BATCHES_AT_ONCE)
    const last = read.at(-1)
    if (last === undefined) return []
    const batches = read.flatMap(({ batch }) => batch ?? [])
    if (batches.length < read.length) log.warn({ count: read.length - batches.length }, 'Refused requests could not be decoded')
    const minutes = new Set(batches.flatMap(({ requests }) => requests.map(({ at }) => minuteOf(at))))
    const applied = applyBatches(batches, { perMinute, before: await listRefusalMinutes(tx, [...minutes]) })
    await insertLogs(tx, applied.logs)
    await addUsageHours(tx, applied.usageHours)
    await addRefusals(tx, applied.hours)
    await addRefusalCounts(tx, applied.counts, Math.floor(now() / 1000) - COUNTS_KEPT_S)
    await addRefusalMinutes(tx, applied.minutes, Math.floor(now() / 1000) - MINUTES_KEPT_S)
    await updateRefusalCursor(tx, last.id)
    return read.map(({ id }) => id)
  })
  await removeRefusals(redis, ids)
  return ids.length
}
