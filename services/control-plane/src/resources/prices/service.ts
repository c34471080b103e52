import { AppError } from '@tollgate/contracts/app-error'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { decodeOption } from '@tollgate/contracts/options/registry'
import {
  PRICE_OPTIONS,
  type PriceCause,
  type PriceChange,
  type PricePast,
  type PriceReplay,
  type PriceTexts,
} from '@tollgate/contracts/resources/prices'
import { sumRows } from '@tollgate/db/log-page-position'
import { countLogs } from '@tollgate/db/queries/logs/log-counts'
import { createPriceChange, finishPriceChange, listPriceChanges } from '@tollgate/db/queries/prices/price-changes'
import { listPriceEdits, listPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { createPriceReplay, findLatestReplay, finishPriceReplay } from '@tollgate/db/queries/prices/price-replays'
import { isAlike } from '@tollgate/domain/model-catalogue/alike'
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
  if (at <= nowSeconds(deps)) throw new AppError('option.price-past')
  return await schedule(deps, by, { patch: patchOf(await deps.options.all(), prices), at })
}

async function schedule(deps: Deps, by: By, { patch, at }: Pick<PriceChange, 'patch' | 'at'>): Promise<PriceChange> {
  if (Object.keys(patch).length === 0) throw new AppError('option.price-unchanged')
  const { id: creator_id, username: created_by, role: creator_role } = by.actor
  return await deps.db.transaction().execute(async (tx) => {
    const change = await createPriceChange(tx, { at, patch, created_at: nowSeconds(deps), created_by, creator_id, creator_role, ip: by.ip })
    const changes = [{ field: 'at', after: String(at) }]
    await recordAudit(deps, tx, by, [{ action: 'schedule', resource: 'option', resource_id: `price_change/${change.id}`, changes }])
    return change
  })
}

type Past = { readonly at: number; readonly cause: PriceCause; readonly by_name: string; readonly name?: string | undefined }

/** Puts entries back that one change set, if they are still what it made of them. */
export async function putBack(deps: Deps, by: By, { name, ...past }: Past): Promise<PriceChange> {
  const [edits, current] = await Promise.all([listPriceEdits(deps.db, { ...past, entry: name }), deps.options.all()])
  const patch: Record<string, Record<string, unknown>> = {}
  // A person may have saved an entry twice within the second: its first value comes back, if its last one is still there.
  for (const rows of Map.groupBy(edits, ({ option, entry }) => JSON.stringify([option, entry])).values()) {
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) continue
    const entries: Readonly<Record<string, unknown>> = current[last.option]
    if (isAlike(ownValue(entries, last.entry) ?? null, last.after))
      patch[last.option] = { ...patch[last.option], [last.entry]: first.before }
  }
  return await schedule(deps, by, { patch, at: nowSeconds(deps) })
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

/** Past changes of the price of a model, group or tool; edits that one change made in the same second are one. */
export async function listPast({ db }: Deps, name: string): Promise<PricePast[]> {
  const past: PricePast[] = []
  for (const { at, cause, by_name, ...edit } of await listPriceHistory(db, name, PAST_SHOWN)) {
    const last = past.at(-1)
    if (last?.at === at && last.cause === cause && last.by_name === by_name) last.edits.push(edit)
    else past.push({ at, cause, by_name, edits: [edit] })
  }
  return past
}
