import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { organisationAccess } from '@tollgate/contracts/resources/organisation-access'
import { organisation, organisations } from '@tollgate/contracts/resources/organisations'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export const access = queryOptions({
  queryKey: keyOf(organisationAccess.get),
  queryFn: ({ signal }) => call(organisationAccess.get, { signal }),
  meta: { inline: true },
})

export const scimTokens = queryOptions({
  queryKey: keyOf(organisationAccess.tokens),
  queryFn: ({ signal }) => call(organisationAccess.tokens, { signal }),
  meta: { inline: true },
})

export const scimGroups = queryOptions({
  queryKey: keyOf(organisationAccess.groups),
  queryFn: ({ signal }) => call(organisationAccess.groups, { signal }),
  meta: { inline: true },
})

export const scimPeople = queryOptions({
  queryKey: keyOf(organisationAccess.people),
  queryFn: ({ signal }) => call(organisationAccess.people, { signal }),
  meta: { inline: true },
})

const MAX_LISTED = 100

/** The organisations of the installation, for root. */
export const allOrganisations = queryOptions({
  queryKey: keyOf(organisations.listAll),
  queryFn: ({ signal }) => call(organisations.listAll, { query: { p: 1, page_size: MAX_LISTED, keyword: '' }, signal }),
  meta: { inline: true },
})

export const trustOf = (id: number) =>
  queryOptions({
    queryKey: keyOf(organisationAccess.trust, id),
    queryFn: ({ signal }) => call(organisationAccess.trust, { params: { id }, signal }),
    meta: { inline: true },
  })

/** Changes of how people become members; members may follow. */
export function useAccessChange<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  const onSuccess = async (): Promise<void> => {
    await Promise.all([refresh(client, organisationAccess.get), refresh(client, organisation.get)])
  }
  return useMutation({ mutationFn: work, onSuccess, meta: { quiet: true } })
}
