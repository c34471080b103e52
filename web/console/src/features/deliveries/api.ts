import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deliveries } from '@tollgate/contracts/resources/deliveries'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

type DeliveryQuery = { readonly p: number; readonly page_size: number; readonly state: string }

export const deliveryPage = (query: DeliveryQuery) =>
  queryOptions({ queryKey: keyOf(deliveries.list, query), queryFn: ({ signal }) => call(deliveries.list, { query, signal }) })

/** The row tells a refusal. */
export function useRetryDelivery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deliveries.retry, { params: { id } }),
    onSuccess: () => refresh(client, deliveries.retry),
    meta: { quiet: true },
  })
}
