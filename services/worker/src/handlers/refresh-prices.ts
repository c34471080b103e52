import { unsealOption } from '@tollgate/config/sealing'
import { PRICE_OPTIONS, type PriceRefresh } from '@tollgate/contracts/resources/prices'
import type { CatalogueModel } from '@tollgate/contracts/models/model-catalogue'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { createOptionReader } from '@tollgate/db/option-reader'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import { lockPriceBaseline, savePriceRefresh } from '@tollgate/db/queries/prices/price-refresh'
import { pricedModels } from '@tollgate/domain/model-catalogue/price-entries'
import { readCatalogueFile } from '@tollgate/domain/model-catalogue/read-file'
import { planRefresh, type Baseline } from '@tollgate/domain/model-catalogue/refresh'
import type { Handler } from '@tollgate/jobs/jobs'
import { fetchFile } from '@tollgate/outbound/fetch-file'
import { builtInCatalogue } from '@tollgate/providers/catalogue/models.gen'
import type { Deps } from '../deps.ts'
import { storePatch } from './store-price-patch.ts'

type RefreshDeps = Pick<Deps, 'db' | 'now' | 'secrets' | 'userOutbound'> & { readonly log: Pick<Deps['log'], 'info' | 'warn'> }

/** The system itself. */
const NOBODY = { actor_id: 0, actor_name: '', actor_role: 0, ip: '' }

/** Takes what the bounds allow in one transaction with history, audit entries and the state of the comparison. */
export const refreshPrices =
  (deps: RefreshDeps): Handler<'refresh-prices'> =>
  async () => {
    const options = createOptionReader(deps.db, unsealOption(deps.secrets))
    const set = await options.pick(['PriceRefreshEnabled', 'PriceCatalogueAddress', 'PriceRefreshMaxChange'])
    if (!set.PriceRefreshEnabled) return { applied: 0, waiting: 0 }
    const checked_at = Math.floor(deps.now() / 1000)
    const read = await readCatalogue(deps, set.PriceCatalogueAddress)
    const today = utcDay(checked_at)
    const catalogue = pricedModels({ models: read.models, date: today })
    const result = await deps.db.transaction().execute(async (tx): Promise<PriceRefresh> => {
      // Stored by savePriceRefresh.
      const baseline = (await lockPriceBaseline(tx)) as Baseline
      const state = { checked_at, source: read.source, date: read.date, message: read.message }
      if (read.message !== '') {
        const failed = { ...state, applied: [], waiting: [] }
        await savePriceRefresh(tx, failed, baseline)
        return failed
      }
      const [prices, served] = [await options.pick(PRICE_OPTIONS, tx), await listEnabledModels(tx)]
      const plan = planRefresh({ prices, catalogue, served, baseline, max_change: set.PriceRefreshMaxChange })
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

type Read = { readonly source: string; readonly date: string; readonly models: readonly CatalogueModel[]; readonly message: string }

/** The catalogue at the address, through the address guard; without one that of this version. */
async function readCatalogue({ userOutbound, log }: RefreshDeps, address: string): Promise<Read> {
  if (address === '') return { ...builtInCatalogue, source: 'built-in', message: '' }
  const failed = (message: string): Read => ({ source: address, date: '', models: [], message })
  const fetched = await fetchFile(userOutbound, address)
  if ('reason' in fetched) {
    if (fetched.cause !== undefined) log.warn({ err: fetched.cause }, 'The price catalogue could not be read')
    return failed(fetched.reason)
  }
  const file = readCatalogueFile(fetched.text)
  return 'fault' in file ? failed('format') : { source: address, date: file.date ?? '', models: file.models, message: '' }
}
