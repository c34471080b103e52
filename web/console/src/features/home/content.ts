import { queryOptions } from '@tanstack/react-query'
import { status } from '@tollgate/contracts/resources/status'
import { call, keyOf } from '../../lib/api.ts'

export const homeContent = queryOptions({
  queryKey: keyOf(status.homePage),
  queryFn: ({ signal }) => call(status.homePage, { signal }),
  staleTime: 60_000,
})
