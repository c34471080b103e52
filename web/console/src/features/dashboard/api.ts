import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dashboard } from '@tollgate/contracts/resources/dashboard'
import { call, keyOf } from '../../lib/api.ts'
import type { By, Rank, Unit } from './search.ts'

export type SeriesInput = {
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly by: By
  readonly unit: Unit
  readonly rank: Rank
  /** Only for admins: of one user. */
  readonly username: string
}

const MINUTE_MS = 60_000

/** Usage over time: of all users for an admin, the own for a user. Read again as often as the site says. */
export const usageSeries = (input: SeriesInput, isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? dashboard.series : dashboard.ownSeries, input),
    queryFn: ({ signal }) => {
      const { username, ...own } = { ...input, timezone: -60 * new Date().getTimezoneOffset() }
      return isAdmin ? call(dashboard.series, { query: { ...own, username }, signal }) : call(dashboard.ownSeries, { query: own, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.refresh_minutes ?? 5) * MINUTE_MS,
    meta: { quiet: true },
  })
