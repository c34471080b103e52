import { queryOptions } from '@tanstack/react-query'
import { groups } from '@tollgate/contracts/resources/groups'
import { call, keyOf } from './api.ts'

/** The names of all groups, for administrators. */
export const groupNames = queryOptions({
  queryKey: keyOf(groups.list),
  queryFn: ({ signal }) => call(groups.list, { signal }),
  staleTime: 60_000,
})
