import { MutationCache, QueryCache, QueryClient, type QueryMeta } from '@tanstack/react-query'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { resourceOf } from './api.ts'
import { ApiError } from './api-error.ts'
import { report } from './report.ts'

/** `quiet` in the meta of a query or mutation: its owner tells the failure itself; `inline`: it does so while it has nothing else to show. */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly quiet?: boolean; readonly inline?: boolean }
    mutationMeta: { readonly quiet?: boolean }
  }
}

const MAX_RETRIES = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => (isToldElsewhere(query) ? undefined : report(error)) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => (mutation.meta?.quiet === true ? undefined : report(error)),
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, refetchOnWindowFocus: true, retry: (count, error) => count < MAX_RETRIES && isWorthRetrying(error) },
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

/** An answer is an answer; only silence and 502 to 504 are asked again. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.failure.kind === 'http') return error.failure.status >= 502
  return error.failure.kind === 'network'
}
