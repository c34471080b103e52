import { queryOptions } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import { call, keyOf } from '../../lib/api.ts'

export const ownAccount = queryOptions({ queryKey: keyOf(self.get), queryFn: ({ signal }) => call(self.get, { signal }) })

export const ownModels = queryOptions({
  queryKey: keyOf(self.models),
  queryFn: ({ signal }) => call(self.models, { signal }),
  staleTime: 60_000,
})
