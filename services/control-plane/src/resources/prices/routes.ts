import { prices } from '@tollgate/contracts/resources/prices'
import { findPriceRefresh } from '@tollgate/db/queries/prices/price-refresh'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { builtInView, readCatalogueAt } from './catalogue.ts'
import { cancelChange, cancelReplay, latestReplay, listChanges, listPast, putBack, scheduleChange, startReplay } from './service.ts'

export const priceRoutes = (deps: Deps): Binding[] => [
  handle(prices.catalogue, () => builtInView(deps)),
  handle(prices.readCatalogue, ({ body }) => readCatalogueAt(deps, body.address)),
  handle(prices.replays, () => latestReplay(deps)),
  handle(prices.startReplay, ({ actor, body, ip }) => startReplay(deps, { actor, ip }, body)),
  handle(prices.cancelReplay, ({ params }) => cancelReplay(deps, params.id)),
  handle(prices.changes, () => listChanges(deps)),
  handle(prices.history, ({ query }) => listPast(deps, query.name)),
  handle(prices.schedule, ({ actor, body, ip }) => scheduleChange(deps, { actor, ip }, body)),
  handle(prices.putBack, ({ actor, body, ip }) => putBack(deps, { actor, ip }, body)),
  handle(prices.refresh, async () => (await findPriceRefresh(deps.db)) ?? null),
  handle(prices.startRefresh, () => deps.jobs.enqueue('refresh-prices', {})),
  handle(prices.cancelChange, ({ actor, params, ip }) => cancelChange(deps, { actor, ip }, params.id)),
]
