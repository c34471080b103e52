import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { LogType } from '@tollgate/contracts/enums'
import { logs, type Log } from '@tollgate/contracts/resources/logs'
import { tokens, type NewToken, type Token, type TokenChange } from '@tollgate/contracts/resources/tokens'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export type TokenFilter = { readonly keyword: string; readonly token: string }

export const tokenCount = queryOptions({
  queryKey: keyOf(tokens.count),
  queryFn: ({ signal }) => call(tokens.count, { signal }),
  // The list is there without it.
  meta: { quiet: true },
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

const LIVE_MS = 2_000

type Rows = { /** 0: every type. */ readonly type: number; readonly since: UnixSeconds; readonly signal: AbortSignal }

/** Rows of a token in the log, among the newest that its name has, newest first. */
export async function newestRows({ id, name }: Token, { type, since, signal }: Rows): Promise<readonly Log[]> {
  const filter = { type, token_name: name, start_timestamp: since, end_timestamp: 0, model_name: '', group: '' }
  const { items } = await call(logs.listOwn, { query: { ...filter, p: 1, page_size: 10 }, signal })
  return items.filter((row) => row.token_id === id)
}

/** The first answered request of a new token, looked for until it is here. */
export const firstRequestOf = (token: Token) =>
  queryOptions({
    queryKey: keyOf(logs.listOwn, 'first', token.id),
    queryFn: async ({ signal }) => (await newestRows(token, { type: LogType.consume, since: token.created_time, signal })).at(-1) ?? null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined || data === null ? LIVE_MS : false),
    meta: { quiet: true },
  })

/** `made`: the new tokens, in the order of their creation. */
export type Created = { readonly done: number; readonly made: readonly Token[]; readonly total: number; readonly failure: unknown }

/** Makes the tokens one after another and stops at the first refusal, saying how far it came. */
export function useCreateTokens() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (bodies: readonly NewToken[]): Promise<Created> => {
      let done = 0
      let failure: unknown
      for (const body of bodies) {
        try {
          await call(tokens.create, { body })
          done += 1
        } catch (error) {
          if (done === 0) throw error
          failure = error
          break
        }
      }
      return { done, made: await newest(bodies.slice(0, done)), total: bodies.length, failure }
    },
    onSettled: () => refresh(client, tokens.list),
    meta: { quiet: true },
  })
}

/** Creating answers without the key: the newest rows have it. A list that cannot be read does not undo the creation. */
async function newest(bodies: readonly NewToken[]): Promise<readonly Token[]> {
  const rows = await call(tokens.list, { query: { p: 0, size: Math.min(bodies.length, MAX_ROWS) } }).catch(() => [])
  return rows.filter(({ name }) => bodies.some((body) => body.name === name)).toReversed()
}

const MAX_ROWS = 100

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
/** Number of open tasks, batches and responses of a token. */
export async function countOpenWork({ id }: Token): Promise<number> {
  const { tasks, batches, responses } = await call(tokens.openWork, { params: { id } })
  return tasks + batches + responses
}

/** `isTold`: the owner knows that the token has open work. */
export const removeToken = (client: QueryClient, { id }: Token, isTold: boolean): Promise<unknown> =>
  changing(client, call(tokens.remove, { params: { id }, query: { confirm: isTold ? 'yes' : 'ask' } }))

async function changing<T>(client: QueryClient, work: Promise<T>): Promise<T> {
  const result = await work
  await refresh(client, tokens.list)
  return result
}
