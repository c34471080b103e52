import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { redemptions, type NewRedemptions, type Redemption, type RedemptionChange } from '@tollgate/contracts/resources/redemptions'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

type PageQuery = { readonly p: number; readonly page_size: number; readonly keyword: string }

export const codePage = (query: PageQuery) =>
  queryOptions({ queryKey: keyOf(redemptions.search, query), queryFn: ({ signal }) => call(redemptions.search, { query, signal }) })

export const codeById = (id: number) =>
  queryOptions({
    queryKey: keyOf(redemptions.get, id),
    queryFn: ({ signal }) => call(redemptions.get, { params: { id }, signal }),
    staleTime: 0,
  })

export function useCodeChanges() {
  const client = useQueryClient()
  const options = { onSuccess: () => refresh(client, redemptions.list), meta: { quiet: true } }
  return {
    create: useMutation({ mutationFn: (body: NewRedemptions) => call(redemptions.create, { body }), ...options }),
    update: useMutation({ mutationFn: (body: RedemptionChange) => call(redemptions.update, { query: {}, body }), ...options }),
  }
}

/** Changes the status alone. */
export const setCodeStatus = (client: QueryClient, { id }: Redemption, status: number): Promise<unknown> =>
  changing(client, call(redemptions.update, { query: { status_only: 'true' }, body: { id, status } }))
export const removeCode = (client: QueryClient, { id }: Redemption): Promise<unknown> =>
  changing(client, call(redemptions.remove, { params: { id } }))

async function changing<T>(client: QueryClient, work: Promise<T>): Promise<T> {
  const result = await work
  await refresh(client, redemptions.list)
  return result
}
