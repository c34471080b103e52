import { MutationCache, QueryCache, QueryClient, useQueryClient, type QueryMeta } from '@tanstack/react-query'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { useEffect, useRef } from 'react'
import { resourceOf } from './api.ts'
import { ApiError } from './api-error.ts'
import { report } from './report.ts'
import { noteLimit } from './waits.ts'

/** `quiet` in the meta of a query or mutation: its owner tells the failure itself; `inline`: it does so while it has nothing else to show. */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly quiet?: boolean; readonly inline?: boolean }
    mutationMeta: { readonly quiet?: boolean }
  }
}

const MAX_RETRIES = 2
/** A page that waits for its turn goes on by itself, but not indefinitely. */
const MAX_TURNS = 10
const LONGEST_WAIT_S = 600

/** True if a failed read is made again: after 429 as long as the server says when, else at most `most` times. */
export function retries(count: number, error: unknown, most: number): boolean {
  if (waitOf(error) !== undefined) return count < MAX_TURNS
  return count < most && isWorthRetrying(error)
}

/** Waits as long as the server says, and lets the shell say so. */
function retryDelay(count: number, error: unknown): number {
  const seconds = waitOf(error)
  if (seconds === undefined) return Math.min(1000 * 2 ** count, 30_000)
  noteLimit(seconds * 1000)
  return seconds * 1000
}

function waitOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.failure.kind !== 'http' || error.failure.status !== 429) return undefined
  const { retryAfterS } = error.failure
  return retryAfterS !== undefined && retryAfterS <= LONGEST_WAIT_S ? retryAfterS : undefined
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => (isToldElsewhere(query) ? undefined : report(error)) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => (mutation.meta?.quiet === true ? undefined : report(error)),
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, refetchOnWindowFocus: true, retry: (count, error) => retries(count, error, MAX_RETRIES), retryDelay },
    },
  })
}

function isToldElsewhere({ meta, state }: { readonly meta: QueryMeta | undefined; readonly state: { readonly data: unknown } }): boolean {
  return meta?.quiet === true || (meta?.inline === true && state.data === undefined)
}

/** Drops everything read from an endpoint's resource, after a change to it. With `throwOnError` it rejects when that cannot be read again. */
export async function refresh(client: QueryClient, endpoint: Endpoint, { throwOnError = false } = {}): Promise<void> {
  await client.invalidateQueries({ queryKey: [resourceOf(endpoint)] }, { throwOnError })
}

/** An answer is an answer; only silence and 502 to 504 are asked again, unless the server says that it will take some time. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.failure.kind === 'http') return error.failure.status >= 502 && error.failure.retryAfterS === undefined
  return error.failure.kind === 'network'
}

/** Drops what was read from an endpoint's resource when work ends that changes it; without an endpoint, all that was read. */
export function useRefreshAtEnd(isUnderWay: boolean, changed?: Endpoint): void {
  const client = useQueryClient()
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) void (changed === undefined ? client.invalidateQueries() : refresh(client, changed))
    wasUnderWay.current = isUnderWay
  }, [client, changed, isUnderWay])
}
