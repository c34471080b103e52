import { dashboard } from '@tollgate/contracts/resources/dashboard'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { readOwnSeries, readSeries } from './series.ts'
import { listOwnUsage, listUsageData } from './service.ts'

export const dashboardRoutes = (deps: Deps): Binding[] => [
  handle(dashboard.list, ({ query }) => listUsageData(deps, query)),
  handle(dashboard.listOwn, ({ query, actor }) => listOwnUsage(deps, actor, query)),
  handle(dashboard.series, ({ query, actor }) => readSeries(deps, actor, query)),
  handle(dashboard.ownSeries, ({ query, actor }) => readOwnSeries(deps, actor, query)),
]
