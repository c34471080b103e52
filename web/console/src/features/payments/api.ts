import { useMutation, useQueryClient } from '@tanstack/react-query'
import { payments } from '@tollgate/contracts/resources/payments'
import { call, keyOf } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { refresh } from '../../lib/query-client.ts'

export type PaymentQuery = { readonly p: number; readonly page_size: number; readonly status: string; readonly keyword: string }

export const paymentPage = (query: PaymentQuery) => ({
  queryKey: keyOf(payments.list, query),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(payments.list, { query, signal }),
})

export const statementsOf = (trade_no: string) => ({
  queryKey: keyOf(payments.statements, trade_no),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(payments.statements, { query: { trade_no }, signal }),
})

export function useCheckPayment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (trade_no: string) => call(payments.check, { body: { trade_no } }),
    onSuccess: () => refresh(client, payments.check),
  })
}

export function useCompletePayment(guarded: Guarded) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { trade_no: string; reason: string }) => guarded(() => call(payments.complete, { body })),
    onSuccess: () => refresh(client, payments.complete),
  })
}
