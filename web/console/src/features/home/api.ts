import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { channels, type NewChannel } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { setup } from '@tollgate/contracts/resources/setup'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { withEntry, type PriceChange } from '../../lib/model-prices.ts'

export const tokenById = (id: number) =>
  queryOptions({ queryKey: keyOf(tokens.get, id), queryFn: ({ signal }) => call(tokens.get, { params: { id }, signal }) })

export const optionRows = queryOptions({ queryKey: keyOf(options.list), queryFn: ({ signal }) => call(options.list, { signal }) })
export const optionNotes = queryOptions({ queryKey: keyOf(options.notes), queryFn: ({ signal }) => call(options.notes, { signal }) })
export const ownTwoFactor = queryOptions({ queryKey: keyOf(twoFactor.get), queryFn: ({ signal }) => call(twoFactor.get, { signal }) })

export function useAddChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewChannel) => call(channels.create, { body }),
    onSuccess: () => Promise.all([refresh(client, channels.create), refresh(client, setup.firstRun)]),
  })
}

/** The step tells the failure beside its button. */
export function useTestChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(channels.test, { params: { id }, query: {} }),
    onSettled: () => Promise.all([refresh(client, channels.create), refresh(client, setup.firstRun)]),
    meta: { quiet: true },
  })
}

export function useSetPrice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ model, change }: { readonly model: string; readonly change: Exclude<PriceChange, { kind: 'invalid' }> }) => {
      const rows = await call(options.list, {})
      const textOf = (key: string): string => rows.find((row) => row.key === key)?.value || '{}'
      const put = (key: string, value: number) => call(options.update, { body: { key, value: withEntry(textOf(key), model, value) } })
      if (change.kind === 'price') return put('ModelPrice', change.price)
      await put('CompletionRatio', change.completion)
      return put('ModelRatio', change.ratio)
    },
    onSuccess: () => Promise.all([refresh(client, options.update), refresh(client, setup.firstRun)]),
  })
}

/** Marks models as not for sale, beside those that are. */
export function useMarkUnsold() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (models: readonly string[]) => {
      const was = (await call(options.list, {})).find(({ key }) => key === 'UnsoldModels')?.value ?? ''
      const value = [...new Set([...was.split('\n').filter((name) => name !== ''), ...models])].join('\n')
      return call(options.update, { body: { key: 'UnsoldModels', value, was } })
    },
    onSuccess: () => Promise.all([refresh(client, options.update), refresh(client, setup.firstRun)]),
  })
}

export function useCreateToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(tokens.create, { body: { name, unlimited_quota: true, expired_time: -1 } }),
    onSuccess: () => Promise.all([refresh(client, tokens.create), refresh(client, setup.firstRun)]),
  })
}
