import { queryOptions } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import { call, keyOf } from '../../lib/api.ts'

export const ownAccount = queryOptions({ queryKey: keyOf(self.get), queryFn: ({ signal }) => call(self.get, { signal }) })
