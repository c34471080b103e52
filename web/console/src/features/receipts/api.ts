import { queryOptions } from '@tanstack/react-query'
import { receipts } from '@tollgate/contracts/resources/receipts'
import { call, keyOf } from '../../lib/api.ts'

/** The public keys of this site. */
export const receiptKeys = queryOptions({
  queryKey: keyOf(receipts.keys),
  queryFn: ({ signal }) => call(receipts.keys, { signal }),
  staleTime: 60_000,
  meta: { quiet: true },
})
