import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import { statements } from '@tollgate/contracts/resources/statements'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { call, keyOf } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'

export const ownStatement = (month: string) =>
  queryOptions({ queryKey: keyOf(statements.month, month), queryFn: ({ signal }) => call(statements.month, { query: { month }, signal }) })

/** Redeems a code; balance and statement are read again. The panel shows a refusal itself. */
export function useRedeem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => call(wallet.redeem, { body: { key } }),
    onSuccess: () => refresh(client, self.get),
    meta: { quiet: true },
  })
}
