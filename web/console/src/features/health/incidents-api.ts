import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { statusIncidents, type IncidentForm, type IncidentUpdateForm, type NewIncident } from '@tollgate/contracts/resources/status-page'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export const incidentList = queryOptions({
  queryKey: keyOf(statusIncidents.list),
  queryFn: ({ signal }) => call(statusIncidents.list, { signal }),
  meta: { inline: true },
})

function useChange<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: work, onSuccess: () => refresh(client, statusIncidents.list), meta: { quiet: true } })
}

export const useOpenIncident = () => useChange((body: NewIncident) => call(statusIncidents.create, { body }))

type Change = { readonly id: number; readonly body: IncidentForm }

export const useChangeIncident = () => useChange(({ id, body }: Change) => call(statusIncidents.update, { params: { id }, body }))

type Update = { readonly id: number; readonly body: IncidentUpdateForm }

export const useAddUpdate = () => useChange(({ id, body }: Update) => call(statusIncidents.addUpdate, { params: { id }, body }))

export const useRemoveIncident = () => useChange((id: number) => call(statusIncidents.remove, { params: { id } }))
