import { unsealOption } from '@tollgate/config/sealing'
import { PRICE_OPTIONS, type PriceRefresh } from '@tollgate/contracts/resources/prices'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { createOptionReader } from '@tollgate/db/option-reader'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import { lockPriceBaseline, savePriceRefresh } from '@tollgate/db/queries/prices/price-refresh'
import { planRefresh, type Baseline } from '@tollgate/domain/model-catalogue/refresh'
import type { Handler } from '@tollgate/jobs/jobs'
import { fetchFile } from '@tollgate/outbound/fetch-file'
import type { PricesOfDay } from '../catalogue/prices-of-day.ts'
import { readCatalogue } from '../catalogue/read-catalogue.ts'
import type { Deps } from '../deps.ts'
import { storePatch } from './store-price-patch.ts'

type RefreshDeps = Pick<Deps, 'db' | 'now' | 'secrets' | 'userOutbound'> & { readonly log: Pick<Deps['log'], 'info' | 'warn'> }

/** The system itself. */
const NOBODY = { actor_id: 0, actor_name: '', actor_role: 0, ip: '' }

/** Takes what the bounds allow in one transaction with history, audit entries and the state of the comparison. */
export const refreshPrices =
  (deps: RefreshDeps): Handler<'refresh-prices'> =>
  async (_, { signal }) => {
    const options = createOptionReader(deps.db, unsealOption(deps.secrets))
    const set = await options.pick(['PriceRefreshEnabled', 'PriceCatalogueAddress', 'PriceRefreshMaxChange'])
    if (!set.PriceRefreshEnabled) return { applied: 0, waiting: 0 }
    const checked_at = Math.floor(deps.now() / 1000)
    const served = await listEnabledModels(deps.db)
    const read = await readPrices(deps, { address: set.PriceCatalogueAddress, wanted: served, day: utcDay(checked_at), signal })
    const result = await deps.db.transaction().execute(async (tx): Promise<PriceRefresh> => {
      // Stored by savePriceRefresh.
      const baseline = (await lockPriceBaseline(tx)) as Baseline
      const state = { checked_at, source: read.source, date: read.date, message: read.message }
      if (read.message !== '') {
        const failed = { ...state, applied: [], waiting: [] }
        await savePriceRefresh(tx, failed, baseline)
        return failed
      }
      const prices = await options.pick(PRICE_OPTIONS, tx)
      const plan = planRefresh({ prices, catalogue: read.prices, served, baseline, max_change: set.PriceRefreshMaxChange })
      const origin = { at: checked_at, cause: 'catalogue' as const, by_name: '' }
      const stored = plan.applied.length === 0 ? undefined : await storePatch(tx, plan.patch, { by: NOBODY, origin })
      const isRefused = stored !== undefined && 'refused' in stored
      const next = {
        ...state,
        applied: isRefused ? [] : [...plan.applied],
        waiting: [...plan.waiting],
        message: isRefused ? stored.refused : '',
      }
      await savePriceRefresh(tx, next, isRefused ? baseline : plan.baseline)
      return next
    })
    const { applied, waiting } = result
    deps.log.info({ detail: `${applied.length} taken, ${waiting.length} wait for a person` }, 'Prices compared with the catalogue')
    return { applied: applied.length, waiting: waiting.length }
  }

type Read = PricesOfDay & { readonly source: string; readonly message: string }
type Wanted = { readonly address: string; readonly wanted: readonly string[]; readonly day: string; readonly signal: AbortSignal }

/** The prices of the catalogue at the address, through the address guard; without one those of this version. */
async function readPrices({ userOutbound, log }: RefreshDeps, { address, signal, ...task }: Wanted): Promise<Read> {
  const source = address === '' ? 'built-in' : address
  const failed = (message: string): Read => ({ source, date: '', prices: new Map(), message })
  const fetched = address === '' ? undefined : await fetchFile(userOutbound, address)
  if (fetched !== undefined && 'reason' in fetched) {
    if (fetched.cause !== undefined) log.warn({ err: fetched.cause }, 'The price catalogue could not be read')
    return failed(fetched.reason)
  }
  // A copy has memory of its own, which the thread takes over.
  const file = fetched === undefined ? undefined : new Uint8Array(fetched.bytes)
  const read = await readCatalogue({ ...task, file }, signal)
  return typeof read === 'string' ? failed(read) : { ...read, source, message: '' }
}
