import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { webhookEndpoints, type WebhookEndpointForm } from '@tollgate/contracts/resources/webhook-endpoints'
import { call, keyOf } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { refresh } from '../../lib/query-client.ts'

const ASK_EVERY_MS = 2000

export const endpointList = queryOptions({
  queryKey: keyOf(webhookEndpoints.list),
  queryFn: ({ signal }) => call(webhookEndpoints.list, { signal }),
  meta: { inline: true },
})

/** Deliveries of an endpoint, asked again while one waits. */
export const endpointDeliveries = (id: number) =>
  queryOptions({
    queryKey: keyOf(webhookEndpoints.deliveries, id),
    queryFn: ({ signal }) => call(webhookEndpoints.deliveries, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ state: one }) => one === 'waiting') === true ? ASK_EVERY_MS : false),
    meta: { inline: true },
  })

function useChange<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: work, onSuccess: () => refresh(client, webhookEndpoints.list), meta: { quiet: true } })
}

export const useCreateEndpoint = (guarded: Guarded) =>
  useChange((body: WebhookEndpointForm) => guarded(() => call(webhookEndpoints.create, { body })))

type Change = { readonly id: number; readonly body: WebhookEndpointForm }

export const useUpdateEndpoint = (guarded: Guarded) =>
  useChange(({ id, body }: Change) => guarded(() => call(webhookEndpoints.update, { params: { id }, body })))

export const useRemoveEndpoint = () => useChange((id: number) => call(webhookEndpoints.remove, { params: { id } }))

export const useRotateSecret = (guarded: Guarded) =>
  useChange((id: number) => guarded(() => call(webhookEndpoints.rotate, { params: { id } })))

export const useTestEndpoint = () => useChange((id: number) => call(webhookEndpoints.test, { params: { id } }))

export const useSendAgain = () => useChange((id: number) => call(webhookEndpoints.sendAgain, { params: { id } }))
