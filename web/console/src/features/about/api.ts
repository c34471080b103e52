import { queryOptions } from '@tanstack/react-query'
import { status } from '@tollgate/contracts/resources/status'
import { call, keyOf } from '../../lib/api.ts'

export const aboutContent = queryOptions({
  queryKey: keyOf(status.about),
  queryFn: ({ signal }) => call(status.about, { signal }),
  staleTime: 60_000,
})
