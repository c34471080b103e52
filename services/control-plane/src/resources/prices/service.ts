import { AppError } from '@tollgate/contracts/app-error'
import { decodeOption } from '@tollgate/contracts/options/registry'
import { PRICE_OPTIONS, type PriceChange, type PricePast, type PriceReplay, type PriceTexts } from '@tollgate/contracts/resources/prices'
import { sumRows } from '@tollgate/db/log-page-position'
import { countLogs } from '@tollgate/db/queries/log-counts'
import { createPriceChange, finishPriceChange, listPriceChanges } from '@tollgate/db/queries/price-changes'
import { listPriceHistory } from '@tollgate/db/queries/price-history'
import { createPriceReplay, findLatestReplay, finishPriceReplay } from '@tollgate/db/queries/price-replays'
import { patchOf } from '@tollgate/domain/pricing/price-patch'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const DAY_S = 86_400
const FINISHED_SHOWN = 10

export async function latestReplay({ db }: Deps): Promise<PriceReplay | null> {
  return (await findLatestReplay(db)) ?? null
}

/** Orders a replay of the last days; the worker does it in the background. */
export async function startReplay(
  deps: Deps,
  by: By,
  { prices, days }: { readonly prices: PriceTexts; readonly days: number },
): Promise<PriceReplay> {
  refuseInvalid(prices)
  const until = nowSeconds(deps)
  const since = until - days * DAY_S
  const total = await withReadSnapshot(deps, async (tx) => sumRows(await countLogs(tx, { from: since, to: until - 1 }, 0)))
  const requested_by = by.actor.username
  const replay = await deps.db
    .transaction()
    .execute((tx) => createPriceReplay(tx, { prices, since, until, total, requested_by, created_at: until }))
  await deps.jobs.enqueue('replay-prices', { id: replay.id })
  return replay
}

export async function cancelReplay(deps: Deps, id: number): Promise<void> {
  if (!(await finishPriceReplay(deps.db, id, { state: 'cancelled', finished_at: nowSeconds(deps) })))
    throw new AppError('option.price-finished')
}

export function listChanges({ db }: Deps): Promise<PriceChange[]> {
  return listPriceChanges(db, FINISHED_SHOWN)
}

/** Schedules what differs from the stored prices, so that changes of other entries in the meantime are kept. */
export async function scheduleChange(
  deps: Deps,
  by: By,
  { prices, at }: { readonly prices: PriceTexts; readonly at: number },
): Promise<PriceChange> {
  refuseInvalid(prices)
  const now = nowSeconds(deps)
  if (at <= now) throw new AppError('option.price-past')
  const patch = patchOf(await deps.options.all(), prices)
  if (Object.keys(patch).length === 0) throw new AppError('option.price-unchanged')
  const { id: creator_id, username: created_by, role: creator_role } = by.actor
  return await deps.db.transaction().execute(async (tx) => {
    const change = await createPriceChange(tx, { at, patch, created_at: now, created_by, creator_id, creator_role, ip: by.ip })
    const changes = [{ field: 'at', after: String(at) }]
    await recordAudit(deps, tx, by, [{ action: 'schedule', resource: 'option', resource_id: `price_change/${change.id}`, changes }])
    return change
  })
}

export async function cancelChange(deps: Deps, by: By, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await finishPriceChange(tx, id, { state: 'cancelled', finished_at: nowSeconds(deps) })))
      throw new AppError('option.price-finished')
    await recordAudit(deps, tx, by, [{ action: 'cancel', resource: 'option', resource_id: `price_change/${id}` }])
  })
}

function refuseInvalid(texts: PriceTexts): void {
  for (const key of PRICE_OPTIONS) {
    const text = texts[key]
    if (text === undefined) continue
    const decoded = decodeOption(key, text)
    if (decoded.kind === 'refused') throw new AppError(decoded.code, decoded.params)
  }
}

const PAST_SHOWN = 100

/** What changed the price of a model, group or tool; edits that one change made in the same second are one. */
export async function listPast({ db }: Deps, name: string): Promise<PricePast[]> {
  const past: PricePast[] = []
  for (const { at, cause, by_name, ...edit } of await listPriceHistory(db, name, PAST_SHOWN)) {
    const last = past.at(-1)
    if (last?.at === at && last.cause === cause && last.by_name === by_name) last.edits.push(edit)
    else past.push({ at, cause, by_name, edits: [edit] })
  }
  return past
}
