import { queryOptions } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import { call, keyOf } from './api.ts'

/** Facts about the caller for several pages: the account, and the groups and models it may use. */
export const ownAccount = queryOptions({ queryKey: keyOf(self.get), queryFn: ({ signal }) => call(self.get, { signal }) })

export const ownGroups = queryOptions({
  queryKey: keyOf(self.groups),
  queryFn: ({ signal }) => call(self.groups, { signal }),
  staleTime: 60_000,
})

export const ownModels = queryOptions({
  queryKey: keyOf(self.models),
  queryFn: ({ signal }) => call(self.models, { signal }),
  staleTime: 60_000,
})
