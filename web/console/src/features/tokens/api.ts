import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import { tokens, type NewToken, type Token, type TokenChange } from '@tollgate/contracts/resources/tokens'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export type TokenFilter = { readonly keyword: string; readonly token: string }

/** One page of own tokens; the server counts pages from 0. */
export const tokenPage = (page: number, size: number) =>
  queryOptions({
    queryKey: keyOf(tokens.list, page, size),
    queryFn: ({ signal }) => call(tokens.list, { query: { p: page - 1, size }, signal }),
    placeholderData: keepPreviousData,
  })

/** Everything that matches; the search call does not page. */
export const tokenSearch = (filter: TokenFilter) =>
  queryOptions({
    queryKey: keyOf(tokens.search, filter),
    queryFn: ({ signal }) => call(tokens.search, { query: filter, signal }),
    placeholderData: keepPreviousData,
  })

export const tokenById = (id: number) =>
  queryOptions({ queryKey: keyOf(tokens.get, id), queryFn: ({ signal }) => call(tokens.get, { params: { id }, signal }), staleTime: 0 })

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

export type Created = { readonly done: number; readonly total: number; readonly failure: unknown }

/** Makes the tokens one after another and stops at the first refusal, saying how far it came. */
export function useCreateTokens() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (bodies: readonly NewToken[]): Promise<Created> => {
      for (const [done, body] of bodies.entries()) {
        try {
          await call(tokens.create, { body })
        } catch (failure) {
          if (done === 0) throw failure
          return { done, total: bodies.length, failure }
        }
      }
      return { done: bodies.length, total: bodies.length, failure: undefined }
    },
    onSettled: () => refresh(client, tokens.list),
    meta: { quiet: true },
  })
}

export function useUpdateToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TokenChange) => call(tokens.update, { query: {}, body }),
    onSuccess: () => refresh(client, tokens.list),
    meta: { quiet: true },
  })
}

export const setTokenStatus = (client: QueryClient, { id }: Token, status: number): Promise<unknown> =>
  changing(client, call(tokens.update, { query: { status_only: 'true' }, body: { id, status } }))
export const removeToken = (client: QueryClient, { id }: Token): Promise<unknown> =>
  changing(client, call(tokens.remove, { params: { id } }))

async function changing<T>(client: QueryClient, work: Promise<T>): Promise<T> {
  const result = await work
  await refresh(client, tokens.list)
  return result
}
