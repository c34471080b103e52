import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { organisation, organisations } from '@tollgate/contracts/resources/organisations'
import type { BodyInputOf } from '@tollgate/contracts/endpoint'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export const chosenOrganisation = queryOptions({
  queryKey: keyOf(organisation.get),
  queryFn: ({ signal }) => call(organisation.get, { signal }),
  meta: { inline: true },
})

export const members = queryOptions({
  queryKey: keyOf(organisation.members),
  queryFn: ({ signal }) => call(organisation.members, { signal }),
  meta: { inline: true },
})

export const openInvitations = queryOptions({
  queryKey: keyOf(organisation.invitations),
  queryFn: ({ signal }) => call(organisation.invitations, { signal }),
  meta: { inline: true },
})

export type SpendingQuery = { readonly by: 'project' | 'member'; readonly days: number }

const DAY_SECONDS = 86_400

export const spending = ({ by, days }: SpendingQuery) =>
  queryOptions({
    queryKey: keyOf(organisation.spending, by, days),
    queryFn: ({ signal }) => {
      const start_timestamp = Math.floor(Date.now() / 1000) - days * DAY_SECONDS
      return call(organisation.spending, { query: { by, start_timestamp, end_timestamp: 0 }, signal })
    },
    meta: { inline: true },
  })

/** The offer of a link; it is asked once. */
export const offeredBy = (code: string) =>
  queryOptions({
    queryKey: keyOf(organisations.peek, code),
    queryFn: ({ signal }) => call(organisations.peek, { query: { code }, signal }),
    retry: false,
    meta: { quiet: true },
  })

/** Changes of the chosen organisation; the form or row that makes one tells its failure. */
export function useChange<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  // The own role is among what the person is a member of.
  const onSuccess = () => Promise.all([refresh(client, organisation.get), refresh(client, organisations.listOwn)])
  return useMutation({ mutationFn: work, onSuccess, meta: { quiet: true } })
}

/** Changes of what the person is a member of. */
export function useOwnChange<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: work, onSuccess: () => refresh(client, organisations.listOwn), meta: { quiet: true } })
}

export const found = (body: BodyInputOf<typeof organisations.found>) => call(organisations.found, { body })
export const convert = (body: BodyInputOf<typeof organisations.convert>) => call(organisations.convert, { body })
export const join = (body: BodyInputOf<typeof organisations.join>) => call(organisations.join, { body })
export const decline = (id: number) => call(organisations.decline, { params: { id } })
