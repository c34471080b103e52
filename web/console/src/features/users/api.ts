import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Limits } from '@tollgate/contracts/relay/limits'
import { self, type SelfChange } from '@tollgate/contracts/resources/self'
import {
  users,
  type ManageAction,
  type NewUser,
  type QuotaAdjustment,
  type User,
  type UserChange,
} from '@tollgate/contracts/resources/users'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

type PageQuery = { readonly p: number; readonly page_size: number; readonly keyword: string; readonly group: string }

export const userPage = (query: PageQuery) =>
  queryOptions({ queryKey: keyOf(users.search, query), queryFn: ({ signal }) => call(users.search, { query, signal }) })

/** Read again by every form and drawer, so that they start from the current balance. */
export const userById = (id: number) =>
  queryOptions({ queryKey: keyOf(users.get, id), queryFn: ({ signal }) => call(users.get, { params: { id }, signal }), staleTime: 0 })

export const userUsage = (id: number) =>
  queryOptions({ queryKey: keyOf(users.usage, id), queryFn: ({ signal }) => call(users.usage, { params: { id }, signal }) })

export const userTokens = (id: number, query: { readonly p: number; readonly page_size: number }) =>
  queryOptions({
    queryKey: keyOf(users.tokens, id, query),
    queryFn: ({ signal }) => call(users.tokens, { params: { id }, query, signal }),
  })

export type UserEdit = { readonly change: UserChange | undefined; readonly limits: Limits | null | undefined }

/** Changes that the drawers send; they show a refusal themselves. */
export function useUserChanges() {
  const client = useQueryClient()
  const options = { onSuccess: () => refresh(client, users.list), meta: { quiet: true } }
  return {
    create: useMutation({ mutationFn: (body: NewUser) => call(users.create, { body }), ...options }),
    update: useMutation({
      mutationFn: async ({ id, change, limits }: UserEdit & { readonly id: number }) => {
        if (change !== undefined) await call(users.update, { body: change })
        if (limits !== undefined) await call(users.setLimits, { body: { id, limits } })
      },
      ...options,
    }),
    updateSelf: useMutation({ mutationFn: (body: SelfChange) => call(self.update, { body }), ...options }),
    adjustQuota: useMutation({ mutationFn: (body: QuotaAdjustment) => call(users.adjustQuota, { body }), ...options }),
  }
}

/** Promotes, demotes, enables, disables or deletes. The list then shows the role and status of the answer. */
export async function manageUser(client: QueryClient, { id }: User, action: ManageAction): Promise<void> {
  await call(users.manage, { body: { id, action } })
  await refresh(client, users.list)
}
