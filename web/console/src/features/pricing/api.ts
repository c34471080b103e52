import { queryOptions } from '@tanstack/react-query'
import { pricing } from '@tollgate/contracts/resources/pricing'
import { call, keyOf } from '../../lib/api.ts'

/** The price list for whoever is signed in here. */
export const priceList = (userId: number | undefined) =>
  queryOptions({
    queryKey: keyOf(pricing.get, userId),
    queryFn: ({ signal }) => call(pricing.get, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
