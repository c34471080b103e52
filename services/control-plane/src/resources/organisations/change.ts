import { AppError } from '@tollgate/contracts/app-error'
import { findOrganisation, renameOrganisation } from '@tollgate/db/queries/users/organisations'
import { updateUser } from '@tollgate/db/queries/users/users'
import type { Deps } from '../../deps.ts'
import { deleteUser } from '../users/change-user.ts'
import { changeOrganisation, requireMember, type MemberCall } from './chosen.ts'
import { checkOrganisationName } from './names.ts'

export async function renameChosen(deps: Deps, by: MemberCall, wanted: string): Promise<void> {
  const name = checkOrganisationName(wanted)
  const { id } = by.actor
  await changeOrganisation(deps, by, async (tx) => {
    const before = (await findOrganisation(tx, id))?.name ?? ''
    await renameOrganisation(tx, { id, name })
    await updateUser(tx, { id, patch: { display_name: name } })
    const changes = [{ field: 'name', before, after: name }]
    return { result: undefined, audited: [{ action: 'update', resource: 'organisation', resource_id: id, changes }] }
  })
}

/** Deletes the account of the organisation as that of a user: its tokens end at once, open requests are settled as usual. */
export async function removeChosen(deps: Deps, by: MemberCall, name: string): Promise<void> {
  requireMember(by.actor)
  const row = await findOrganisation(deps.db, by.actor.id)
  if (row === undefined) throw new AppError('record.missing')
  if (row.name !== name.trim()) throw new AppError('organisations.confirm')
  await deleteUser(deps, by.actor.id, { check: () => undefined }, by)
}
