import type { EffectiveCosts } from '@tollgate/contracts/channels/effective-cost'
import { listChannelTraffic } from '@tollgate/db/queries/channels/channel-traffic'
import { listChannelNames, listSettings } from '@tollgate/db/queries/channels/channels'
import { effectiveCost } from '@tollgate/domain/channel-health/effective-cost'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { parseObject } from './fields.ts'

const HOUR = 3600
/** Rows that one look reads, so that a busy site's look stays short. */
const MAX_ROWS = 50_000

/** Cost of the tokens of each model at each channel, from the requests of the last hours. */
export async function listEffectiveCosts(deps: Deps, hours: number): Promise<EffectiveCosts> {
  const until = nowSeconds(deps)
  const since = until - hours * HOUR
  return await withReadSnapshot(deps, async (tx) => {
    const { rows, is_cut } = await listChannelTraffic(tx, { since, most: MAX_ROWS })
    const ids = [...new Set(rows.map(({ channel_id }) => channel_id))]
    const settings = await listSettings(tx, ids)
    const names = new Map((await listChannelNames(tx, { ids, isEnabled: false })).map(({ id, name }) => [id, name]))
    return {
      since,
      until,
      is_cut,
      rows: rows.map(({ channel_id, model, ...sums }) => {
        const cost_ratio = costRatioOf({ setting: parseObject(settings.get(channel_id) ?? '') ?? {} }, model)
        return { channel_id, channel_name: names.get(channel_id) ?? '', model, ...effectiveCost(sums, cost_ratio) }
      }),
    }
  })
}
