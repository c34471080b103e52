import { queryOptions, useQuery } from '@tanstack/react-query'
import { organisation, organisations, type Membership, type Project } from '@tollgate/contracts/resources/organisations'
import { useEffect } from 'react'
import type { Provider } from '@tollgate/contracts/resources/oauth'
import { call, keyOf } from './api.ts'
import { session, useUser } from './session.ts'
import type { StoredUser } from './storage.ts'

/** The person's organisations and invitations, whichever account is chosen. */
export const ownOrganisations = queryOptions({
  queryKey: keyOf(organisations.listOwn),
  queryFn: ({ signal }) => call(organisations.listOwn, { signal }),
  meta: { quiet: true },
})

/** The projects of the chosen organisation; undefined: none is chosen, or they are still read. */
export function useProjects(): readonly Project[] | undefined {
  return useQuery({ ...ownProjects, enabled: useUser()?.member !== undefined }).data
}

/** The projects of the chosen organisation. */
export const ownProjects = queryOptions({
  queryKey: keyOf(organisation.projects),
  queryFn: ({ signal }) => call(organisation.projects, { signal }),
  meta: { inline: true },
})

/** The chosen organisation as the server has it. */
function useMembership(): Membership | undefined {
  const user = useUser()
  const { data } = useQuery({ ...ownOrganisations, enabled: user?.member !== undefined })
  return user?.member === undefined ? undefined : data?.items.find(({ id }) => id === user.id)
}

/** The provider that the chosen organisation requires and that this session was not opened with. */
export function useNeededProvider(): Provider | undefined {
  const needed = useMembership()?.needs_provider ?? ''
  return needed === '' ? undefined : needed
}

/** Gives the session the role that another member gave its user. */
export function useCurrentRole(): void {
  const role = useMembership()?.role
  useEffect(() => {
    const user = session.user()
    if (role !== undefined && user?.member !== undefined && user.member.role !== role)
      session.start({ ...user, member: { ...user.member, role } })
  }, [role])
}

/** The person, also while an organisation is chosen. */
export const personOf = (user: StoredUser): StoredUser => user.member?.user ?? user

/**
 * Chooses the account that every page is about: an organisation, or the person's own. The page is loaded again, so that nothing of the other
 * account stays.
 */
export function chooseAccount(chosen: Membership | undefined, path: string): void {
  const user = session.user()
  if (user === undefined) return
  const person = personOf(user)
  session.start(
    chosen === undefined
      ? person
      : {
          id: chosen.id,
          username: chosen.name,
          display_name: chosen.name,
          role: 1,
          status: 1,
          group: chosen.group,
          member: { role: chosen.role, user: person },
        },
  )
  window.location.assign(path)
}
