import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { health, type FailedJob } from '@tollgate/contracts/resources/health'
import { ledger } from '@tollgate/contracts/resources/ledger'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

const EVERY_MS = 5000

export const systemHealth = queryOptions({
  queryKey: keyOf(health.get),
  queryFn: ({ signal }) => call(health.get, { signal }),
  refetchInterval: EVERY_MS,
  meta: { inline: true },
})

export const failedJobs = (queue: string) =>
  queryOptions({
    queryKey: keyOf(health.failedJobs, { queue }),
    queryFn: ({ signal }) => call(health.failedJobs, { query: { queue }, signal }),
    meta: { inline: true },
  })

/** Read again each time it is opened: a check ends in the background. */
export const ledgerReport = queryOptions({
  queryKey: keyOf(ledger.report),
  queryFn: ({ signal }) => call(ledger.report, { signal }),
  staleTime: 0,
  gcTime: 0,
  meta: { inline: true },
})

type JobChange = Pick<FailedJob, 'id'> & { readonly queue: string; readonly does: 'retry' | 'remove' }

export function useChangeJob() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ queue, id, does }: JobChange) => call(does === 'retry' ? health.retryJob : health.removeJob, { body: { queue, id } }),
    onSettled: () => refresh(client, health.get),
  })
}

export function useVerifyLedger() {
  return useMutation({ mutationFn: () => call(ledger.verify, {}) })
}
