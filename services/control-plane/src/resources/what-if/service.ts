import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { decodeOption } from '@tollgate/contracts/options/registry'
import { PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import type { WhatIfCandidate, WhatIfPresent, WhatIfRun } from '@tollgate/contracts/resources/what-if'
import { sumRows } from '@tollgate/db/log-page-position'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import { createWhatIf, finishWhatIf } from '@tollgate/db/queries/channels/what-ifs'
import { countLogs } from '@tollgate/db/queries/logs/log-counts'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { patchedText } from '@tollgate/domain/pricing/price-patch'
import { pricePatchOf } from '@tollgate/domain/what-if/price-patch-of'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { parseObject } from '../channels/fields.ts'

const HOUR = 3600

type Asked = { readonly hours: number; readonly candidate: WhatIfCandidate }

/** Orders a replay of the last hours; the worker does it in the background. */
export async function startWhatIfRun(deps: Deps, actor: { readonly username: string }, { hours, candidate }: Asked): Promise<WhatIfRun> {
  await refuseInvalid(deps, candidate)
  const until = nowSeconds(deps)
  const since = until - hours * HOUR
  const total = await withReadSnapshot(deps, async (tx) => sumRows(await countLogs(tx, { from: since, to: until - 1 }, 0)))
  const run = await deps.db
    .transaction()
    .execute((tx) => createWhatIf(tx, { candidate, since, until, total, requested_by: actor.username, created_at: until }))
  await deps.jobs.enqueue('replay-requests', { id: run.id })
  return run
}

/** Values that could not be saved as an option are not replayed either. */
async function refuseInvalid(deps: Deps, { strategies, fallbacks, prices }: WhatIfCandidate): Promise<void> {
  const stored = await deps.options.pick(PRICE_OPTIONS)
  const patch = pricePatchOf(prices ?? [])
  const texts: [Parameters<typeof decodeOption>[0], string][] = [
    ...(strategies === undefined ? [] : [['RoutingStrategies', JSON.stringify(strategies)] as const]),
    ...(fallbacks === undefined ? [] : [['ModelFallbacks', JSON.stringify(fallbacks)] as const]),
    ...PRICE_OPTIONS.flatMap((key) => {
      const entries = patch[key]
      return entries === undefined ? [] : [[key, patchedText(JSON.stringify(stored[key]), entries)] as const]
    }),
  ].map(([key, text]) => [key, text])
  for (const [key, text] of texts) {
    const decoded = decodeOption(key, text)
    if (decoded.kind === 'refused') throw new AppError(decoded.code, decoded.params)
  }
}

export async function cancelWhatIf(deps: Deps, id: number): Promise<void> {
  if (!(await finishWhatIf(deps.db, id, { state: 'cancelled', finished_at: nowSeconds(deps) }))) throw new AppError('option.price-finished')
}

/** Settings that a replay can change, as they are now. */
export async function readPresent({ db, options }: Deps): Promise<WhatIfPresent> {
  const [rows, models, stored] = await Promise.all([
    listRoutedChannels(db),
    listEnabledModels(db),
    options.pick(['RoutingStrategies', 'ModelFallbacks', 'GroupRatio']),
  ])
  const channels = rows.map(({ id, name, status, weight, priority, setting }) => {
    const cost_ratio = costRatioOf({ setting: parseObject(setting) ?? {} })
    return { id, name, is_enabled: status === ChannelStatus.enabled, weight, priority, cost_ratio }
  })
  const { RoutingStrategies: strategies, ModelFallbacks: fallbacks, GroupRatio } = stored
  return { channels, strategies, fallbacks, groups: Object.keys(GroupRatio), models }
}
