import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { self } from '@tollgate/contracts/resources/self'
import { statements } from '@tollgate/contracts/resources/statements'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { receipts } from '@tollgate/contracts/resources/receipts'
import { call, callForFile, keyOf } from '../../../lib/api.ts'
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

/** Cost and usage of a month in the FOCUS format: the own, or those of all users. */
export const focusOf = (month: string, whose: 'own' | 'all'): Promise<Blob> =>
  callForFile(whose === 'own' ? csvExports.ownFocus : csvExports.focus, { query: { month } })

/** The signed receipts of a month, which begins and ends at midnight UTC as statements do. */
export function receiptsOf(month: string): Promise<Blob> {
  const start = Date.parse(`${month}-01T00:00:00Z`)
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return callForFile(receipts.exportOwn, {
    query: { start_timestamp: start / 1000, end_timestamp: next.getTime() / 1000 - 1 },
  })
}
