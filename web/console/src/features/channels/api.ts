import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { TestCapability } from '@tollgate/contracts/channels/channel-capabilities'
import {
  channels,
  type Channel,
  type ChannelChange,
  type ModelsChange,
  type NewChannel,
  type TagChange,
  type WeightQuestion,
} from '@tollgate/contracts/resources/channels'
import { models } from '@tollgate/contracts/resources/models'
import { options } from '@tollgate/contracts/resources/options'
import { CATALOGUE_PRICE_OPTIONS, prices, type CatalogueRow } from '@tollgate/contracts/resources/prices'
import { call, keyOf } from '../../lib/api.ts'
import { withEntry, type PriceChange } from '../../lib/model-prices.ts'
import { readObject } from '../../ui/form/json-text.ts'
import { refresh } from '../../lib/query-client.ts'
import { storage } from '../../lib/storage.ts'

export type ChannelOrder = { readonly id_sort: boolean; readonly tag_mode: boolean }
export type ChannelFilter = { readonly keyword: string; readonly group: string; readonly model: string; readonly state: string }
export const UNTAGGED_MAX = 200

/** One page of channels (in tag mode: of tags with all their channels); the server counts pages from 0. */
export const channelPage = (page: number, size: number, order: ChannelOrder) =>
  queryOptions({
    queryKey: keyOf(channels.list, page, size, order),
    queryFn: ({ signal }) => call(channels.list, { query: { p: page - 1, page_size: size, ...order }, signal }),
    placeholderData: keepPreviousData,
  })

/** Everything that matches; the search call does not page. */
export const channelSearch = (filter: ChannelFilter, order: ChannelOrder) =>
  queryOptions({
    queryKey: keyOf(channels.search, filter, order),
    queryFn: ({ signal }) => call(channels.search, { query: { ...filter, ...order }, signal }),
    placeholderData: keepPreviousData,
  })

/** Interval of queries about problems that an operator must see soon. */
const HEALTH_EVERY_MS = 15_000

/** The health of the channels on the page, by id. */
export const channelHealth = (ids: readonly number[]) =>
  queryOptions({
    queryKey: keyOf(channels.health, ids),
    queryFn: async ({ signal }) => {
      const rows = await call(channels.health, { query: { ids: ids.join(',') }, signal })
      return new Map(rows.map((row) => [row.channel_id, row]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: HEALTH_EVERY_MS,
    // The list is there without it.
    meta: { quiet: true },
  })

/** Shares that a weight would give a channel. */
export const weightShares = (question: WeightQuestion) =>
  queryOptions({
    queryKey: keyOf(channels.shares, question),
    queryFn: ({ signal }) => call(channels.shares, { body: question, signal }),
    placeholderData: keepPreviousData,
    // The form is complete without it.
    meta: { quiet: true },
  })

export const channelAttention = queryOptions({
  queryKey: keyOf(channels.attention),
  queryFn: ({ signal }) => call(channels.attention, { signal }),
  refetchInterval: HEALTH_EVERY_MS,
  meta: { quiet: true },
})

/** The first channels without a tag, which tag mode shows under a heading of their own. */
export const untaggedChannels = (order: ChannelOrder) =>
  queryOptions({
    queryKey: keyOf(channels.list, 'untagged', order.id_sort),
    queryFn: ({ signal }) =>
      call(channels.list, { query: { p: 0, page_size: UNTAGGED_MAX, id_sort: order.id_sort, untagged: true }, signal }),
  })

export const channelById = (id: number) =>
  queryOptions({ queryKey: keyOf(channels.get, id), queryFn: ({ signal }) => call(channels.get, { params: { id }, signal }), staleTime: 0 })

export const allModels = queryOptions({
  queryKey: keyOf(channels.models),
  queryFn: async ({ signal }) => [...new Set((await call(channels.models, { signal })).map(({ id }) => id))],
  staleTime: 300_000,
})

/** Preset models by type, kept in local storage so that the drawer opens with them. */
export const presetModels = queryOptions({
  queryKey: keyOf(models.presets),
  queryFn: async ({ signal }) => {
    const presets = await call(models.presets, { signal })
    storage.set('channel_models', presets)
    return presets
  },
  staleTime: 300_000,
})

/** Which of these models have no price. */
export const unpricedModels = (names: readonly string[]) =>
  queryOptions({
    queryKey: keyOf(channels.unpricedModels, names),
    queryFn: ({ signal }) => call(channels.unpricedModels, { body: { models: [...names] }, signal }),
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })

/** Adds a model's price to the options; `ModelRatio` last, because a model has a price from then on. */
export async function savePrice(client: QueryClient, model: string, change: Exclude<PriceChange, { kind: 'invalid' }>): Promise<void> {
  const rows = await call(options.list, {})
  const textOf = (key: string): string => rows.find((row) => row.key === key)?.value || '{}'
  const put = (key: string, value: number) => call(options.update, { body: { key, value: withEntry(textOf(key), model, value) } })
  if (change.kind === 'price') await put('ModelPrice', change.price)
  else {
    await put('CompletionRatio', change.completion)
    await put('ModelRatio', change.ratio)
  }
  await Promise.all([refresh(client, options.update), client.invalidateQueries({ queryKey: keyOf(channels.unpricedModels) })])
}

/** The makers' prices of these models, as the built-in catalogue has them. */
export const cataloguePrices = (models: readonly string[]) =>
  queryOptions({
    queryKey: keyOf(prices.catalogue),
    queryFn: ({ signal }) => call(prices.catalogue, { signal }),
    select: ({ rows }) => rows.filter(({ name }) => models.includes(name)),
    enabled: models.length > 0,
    meta: { quiet: true },
  })

/** Stores the catalogue's prices of these models, every class of them; what makes a model sellable comes last. */
export async function saveCataloguePrices(client: QueryClient, rows: readonly Pick<CatalogueRow, 'name' | 'entries'>[]): Promise<void> {
  const stored = await call(options.list, {})
  for (const key of CATALOGUE_PRICE_OPTIONS.toSorted((left, right) => Number(isMain(left)) - Number(isMain(right)))) {
    const added = rows.flatMap(({ name, entries }) => (entries[key] === undefined ? [] : [[name, entries[key]] as const]))
    if (added.length === 0) continue
    const was = stored.find((row) => row.key === key)?.value ?? ''
    const map = readObject(was || '{}')
    if (map === undefined) throw new Error(`The option ${key} is not a JSON object`)
    await call(options.update, { body: { key, value: JSON.stringify({ ...map, ...Object.fromEntries(added) }, null, 2), was } })
  }
  await Promise.all([refresh(client, options.update), client.invalidateQueries({ queryKey: keyOf(channels.unpricedModels) })])
}

const isMain = (key: string): boolean => key === 'ModelRatio' || key === 'ModelPrice'

/** A change to channels: afterwards everything read from them is read again. */
function useChannelChange<Input, Result>(run: (input: Input) => Promise<Result>, quiet = false) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: () => refresh(client, channels.list), meta: { quiet } })
}

/** The forms show a refusal themselves. */
export const useCreateChannel = () => useChannelChange((body: NewChannel) => call(channels.create, { body }), true)
export const useSaveChannel = () => useChannelChange((body: ChannelChange) => call(channels.update, { body }), true)
export const useSaveTag = () => useChannelChange((body: TagChange) => call(channels.updateTag, { body }), true)
export const useUpdateChannel = () => useChannelChange((body: ChannelChange) => call(channels.update, { body }))
export const useApplyModels = () =>
  useChannelChange((changes: readonly ModelsChange[]) => call(channels.applyModels, { body: { changes: [...changes] } }))
export const useUpdateTag = () => useChannelChange((body: TagChange) => call(channels.updateTag, { body }))

export const useToggleTag = () =>
  useChannelChange(({ tag, isOn }: { tag: string; isOn: boolean }) =>
    call(isOn ? channels.enableTag : channels.disableTag, { body: { tag } }),
  )

/** Seconds the test took; a failed one throws the vendor's message. Both change the row. */
export function useTestChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, model, capability = 'auto' }: { id: number; model: string; capability?: TestCapability }) =>
      (await call(channels.test, { params: { id }, query: { model, ...(capability === 'auto' ? {} : { capability }) } })).time,
    onSettled: () => refresh(client, channels.list),
    meta: { quiet: true },
  })
}

/** Tests one of a channel's keys; in seconds. */
export const testKey = async (client: QueryClient, id: number, key_id: string): Promise<number> =>
  (await changing(client, call(channels.test, { params: { id }, query: { key_id } }))).time

export const removeChannel = (client: QueryClient, { id }: Channel): Promise<unknown> =>
  changing(client, call(channels.remove, { params: { id } }))
export const removeDisabled = (client: QueryClient): Promise<number> => changing(client, call(channels.removeDisabled, {}))
export const removeMany = (client: QueryClient, ids: readonly number[]): Promise<number> =>
  changing(client, call(channels.removeMany, { body: { ids: [...ids] } }))
export const tagMany = (client: QueryClient, ids: readonly number[], tag: string): Promise<number> =>
  changing(client, call(channels.tagMany, { body: { ids: [...ids], tag } }))
export const repair = (client: QueryClient): Promise<number> => changing(client, call(channels.repair, {}))
export const copyChannel = (client: QueryClient, { id }: Channel): Promise<unknown> =>
  changing(client, call(channels.copy, { params: { id } }))
/** Takes a failing channel from those that need attention, until another call fails. */
export const acknowledgeFailure = (client: QueryClient, { id }: Channel): Promise<unknown> =>
  changing(client, call(channels.acknowledgeFailure, { params: { id } }))
/** Reads the balance from the vendor, in its currency. */
export const readBalance = async (client: QueryClient, { id }: Channel): Promise<number> =>
  (await changing(client, call(channels.updateBalance, { params: { id } }))).balance
/** Models that the vendor lists, for a saved channel or for one that is being typed. */
export const fetchModels = (
  from: { readonly id: number } | { readonly base_url: string; readonly type: number; readonly key: string },
): Promise<readonly string[]> =>
  'id' in from ? call(channels.fetchModels, { params: { id: from.id } }) : call(channels.fetchModelsOf, { body: from })

async function changing<T>(client: QueryClient, work: Promise<T>): Promise<T> {
  const result = await work
  await refresh(client, channels.list)
  return result
}
