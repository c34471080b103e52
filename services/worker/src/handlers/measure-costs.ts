import { withStatements } from '@tollgate/db/statement-limits'
import { listChannelTraffic } from '@tollgate/db/queries/channels/channel-traffic'
import { measuredCosts } from '@tollgate/domain/channel-health/effective-cost'
import type { Handler } from '@tollgate/jobs/jobs'
import { writeEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import type { Deps } from '../deps.ts'

const HOURS = 6
/** The newest requests, so that a busy site is not read for long. */
const MAX_ROWS = 50_000

/** Idempotent: replaces what was measured before. */
export const measureCosts =
  ({ db, redis, now }: Pick<Deps, 'db' | 'redis' | 'now'>): Handler<'measure-costs'> =>
  async () => {
    const at = Math.floor(now() / 1000)
    const range = { since: at - HOURS * 3600, most: MAX_ROWS }
    const { rows } = await withStatements('batch', () => db.transaction().execute((tx) => listChannelTraffic(tx, range)))
    await writeEffectiveCosts(redis, measuredCosts(rows, { at, hours: HOURS }))
    return { rows: rows.length }
  }
