import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { prices, PRICE_OPTIONS, type PriceCause, type PriceReplay, type PriceTexts } from '@tollgate/contracts/resources/prices'
import { call, keyOf } from '../../lib/api.ts'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'

const ASK_EVERY_MS = 1000

const isOpen = (replay: PriceReplay | null | undefined): boolean => replay?.state === 'waiting' || replay?.state === 'running'

/** The latest replay, asked again while it runs. */
export const latestReplay = queryOptions({
  queryKey: keyOf(prices.replays),
  queryFn: ({ signal }) => call(prices.replays, { signal }),
  refetchInterval: ({ state }) => (isOpen(state.data) ? ASK_EVERY_MS : false),
})

/** The catalogue of this version; it does not change while the page is open, but which models are served does. */
export const builtInCatalogue = queryOptions({
  queryKey: keyOf(prices.catalogue),
  queryFn: ({ signal }) => call(prices.catalogue, { signal }),
})

export const priceChanges = queryOptions({
  queryKey: keyOf(prices.changes),
  queryFn: ({ signal }) => call(prices.changes, { signal }),
  refetchInterval: 30_000,
})

/** Read again whenever it is shown: another person may have changed the price. */
export const priceHistory = (name: string) =>
  queryOptions({
    queryKey: [...keyOf(prices.history), name],
    queryFn: ({ signal }) => call(prices.history, { query: { name }, signal }),
    staleTime: 0,
  })

/** Read again soon, since a refresh runs in the background. */
export const latestRefresh = queryOptions({
  queryKey: keyOf(prices.refresh),
  queryFn: ({ signal }) => call(prices.refresh, { signal }),
  refetchInterval: 2000,
})

function useChange<Input, Result>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () => Promise.all([latestReplay, priceChanges].map(({ queryKey }) => client.invalidateQueries({ queryKey }))),
  })
}

export const useStartReplay = () =>
  useChange((body: { readonly prices: PriceTexts; readonly days: number }) => call(prices.startReplay, { body }))
export const useCancelReplay = () => useChange((id: number) => call(prices.cancelReplay, { params: { id } }))
export const useSchedule = () => useChange((body: { readonly prices: PriceTexts; readonly at: number }) => call(prices.schedule, { body }))
export const useCancelChange = () => useChange((id: number) => call(prices.cancelChange, { params: { id } }))

export const useStartRefresh = () => useChange(() => call(prices.startRefresh, {}))

export type PastChange = { readonly at: number; readonly cause: PriceCause; readonly by_name: string; readonly name?: string }
export const usePutBack = () => useChange((body: PastChange) => call(prices.putBack, { body }))

/** The price options of a form, as its fields hold them. */
export function priceTexts(values: Readonly<SettingValues>): PriceTexts {
  return Object.fromEntries(
    PRICE_OPTIONS.flatMap((key) => {
      const text = values[nameOf(key)]
      return typeof text === 'string' ? [[key, text] as const] : []
    }),
  )
}
