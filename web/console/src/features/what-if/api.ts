import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { whatIf, type WhatIfCandidate, type WhatIfState } from '@tollgate/contracts/resources/what-if'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

const ASK_EVERY_MS = 1000

export const isOpen = (state: WhatIfState | undefined): boolean => state === 'waiting' || state === 'running'

/** The configuration of now. */
export const present = queryOptions({
  queryKey: keyOf(whatIf.present),
  queryFn: ({ signal }) => call(whatIf.present, { signal }),
  refetchOnWindowFocus: false,
  meta: { inline: true },
})

export const runs = queryOptions({
  queryKey: keyOf(whatIf.list),
  queryFn: ({ signal }) => call(whatIf.list, { signal }),
  refetchInterval: ({ state }) => (state.data?.some((run) => isOpen(run.state)) === true ? 2 * ASK_EVERY_MS : false),
})

/** One run, asked again until it has ended. */
export const report = (id: number) =>
  queryOptions({
    queryKey: keyOf(whatIf.find, id),
    queryFn: ({ signal }) => call(whatIf.find, { params: { id }, signal }),
    refetchInterval: ({ state }) => (isOpen(state.data?.state) ? ASK_EVERY_MS : false),
    meta: { inline: true },
  })

function useChange<Input, Result>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: () => refresh(client, whatIf.list) })
}

export const useStart = () =>
  useChange((body: { readonly hours: number; readonly candidate: WhatIfCandidate }) => call(whatIf.start, { body }))
export const useCancel = () => useChange((id: number) => call(whatIf.cancel, { params: { id } }))
