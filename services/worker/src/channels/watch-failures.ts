import { clearChannelFailures, listChannelFailures, recordChannelFailures } from '@tollgate/db/queries/channels/channel-failures'
import { activityStarts, isFailing } from '@tollgate/domain/channel-health/activity'
import { isEndedByCalls } from '@tollgate/domain/channel-health/failure'
import { readAllActivity, readChannelErrors, readOpenBreakers } from '@tollgate/redis/stores/channel-activity'
import type { Deps } from '../deps.ts'

/** Keeps which channels fail, since relays forget it with their breakers and counts. Safe to run twice, and beside another worker. */
export async function watchFailures({ db, redis, now }: Pick<Deps, 'db' | 'redis' | 'now'>): Promise<void> {
  const starts = activityStarts(Math.floor(now() / 1000))
  const [periods, breakers, stored] = await Promise.all([
    readAllActivity(redis, starts),
    readOpenBreakers(redis, now()),
    listChannelFailures(db),
  ])
  const out = new Set(breakers.filter(({ state }) => state === 'open').map(({ channel_id }) => channel_id))
  const ids = [...new Set([...periods.flatMap((period) => [...period.keys()]), ...out, ...stored.map(({ channel_id }) => channel_id)])]
  const errors = await readChannelErrors(redis, ids)
  const periodsOf = (id: number) => periods.map((period) => period.get(id))
  const failing = ids.filter((id) => out.has(id) || isFailing(periodsOf(id)))
  const known = new Set(stored.map(({ channel_id }) => channel_id))
  const rows = failing.map((channel_id) => {
    // Without a failed call nothing is newer than what was cleared.
    const { at = known.has(channel_id) ? 0 : now(), status = 0, message = '', model = '' } = errors.get(channel_id) ?? {}
    return { channel_id, failed_at: at, status, message, model }
  })
  await recordChannelFailures(db, rows)
  const ended = stored.filter((row) => {
    const id = row.channel_id
    return isEndedByCalls({ periods: periodsOf(id), starts, hasOpenBreaker: out.has(id), lastFailedAt: errors.get(id)?.at, stored: row })
  })
  await clearChannelFailures(
    db,
    ended.map(({ channel_id }) => channel_id),
    now(),
  )
}
