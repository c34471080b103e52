import { queryOptions } from '@tanstack/react-query'
import { pricing } from '@tollgate/contracts/resources/pricing'
import { call, keyOf } from '../../lib/api.ts'

/** The price list as this user, or a visitor, sees it. */
export const priceList = (userId: number | undefined) =>
  queryOptions({
    queryKey: keyOf(pricing.get, userId),
    queryFn: ({ signal }) => call(pricing.get, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
