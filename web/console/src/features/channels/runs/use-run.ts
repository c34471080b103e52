import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChannelRun, RunKind, RunResult } from '@tollgate/contracts/channels/channel-runs'
import type { TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { channels } from '@tollgate/contracts/resources/channels'
import { useRef } from 'react'
import { call, keyOf } from '../../../lib/api.ts'
import { useRefreshAtEnd } from '../../../lib/query-client.ts'

const EVERY_MS = 800

/** The latest run of a kind, whose results are read as they arrive: only the new ones each time. */
export function useRun(kind: RunKind) {
  const client = useQueryClient()
  const known = useRef<{ readonly id: string; readonly results: readonly RunResult[] }>({ id: '', results: [] })
  // Not under the resource `channel`: a finished run refreshes that, and would read itself again.
  const key = ['channel-run', ...keyOf(channels.getRun, kind)]
  const { data: run } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<ChannelRun | null> => {
      const read = (from: number) => call(channels.getRun, { query: { kind, from }, signal })
      const { id, results } = known.current
      const fresh = await read(results.length)
      if (fresh === null) return null
      const all = fresh.id === id ? [...results, ...fresh.results] : results.length === 0 ? fresh.results : ((await read(0))?.results ?? [])
      known.current = { id: fresh.id, results: all }
      return { ...fresh, results: all }
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (isRunning(state.data) ? EVERY_MS : false),
  })
  const isUnderWay = isRunning(run)
  useRefreshAtEnd(isUnderWay, channels.list)
  const again = (): Promise<void> => client.invalidateQueries({ queryKey: key })
  const start = useMutation({
    mutationFn: (wanted: { readonly ids: readonly number[] | undefined; readonly capability: TestCapability }) =>
      call(channels.startRun, {
        body: { kind, capability: wanted.capability, ...(wanted.ids === undefined ? {} : { ids: [...wanted.ids] }) },
      }),
    onSettled: again,
  })
  const cancel = useMutation({ mutationFn: () => call(channels.cancelRun, { query: { kind } }), onSettled: again })
  return { run: run ?? undefined, isRunning: isUnderWay, start, cancel }
}

const isRunning = (run: ChannelRun | null | undefined): boolean => run !== null && run !== undefined && run.finished_at === 0
