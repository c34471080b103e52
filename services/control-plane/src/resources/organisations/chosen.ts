import { AppError } from '@tollgate/contracts/app-error'
import type { Tx } from '@tollgate/db/connect'
import { findMemberRole } from '@tollgate/db/queries/users/organisations'
import type { Actor, Member } from '@tollgate/http/actor'
import { recordAudit, type Audited, type By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { changeInTurn } from './in-turn.ts'

/** A call of a member for an organisation. */
export type MemberCall = By & { readonly actor: Actor }

/** The member who calls; throws when no organisation is chosen. */
export function requireMember({ member }: Actor): Member {
  if (member === undefined) throw new AppError('organisations.not-chosen')
  return member
}

/** Changes an organisation in one transaction, one change after another, with what the audit log says about it. */
export async function changeOrganisation<T>(
  deps: Deps,
  by: MemberCall,
  work: (tx: Tx) => Promise<{ readonly result: T; readonly audited: readonly Audited[] }>,
): Promise<T> {
  const member = requireMember(by.actor)
  return await changeInTurn(deps, { organisation_id: by.actor.id }, async (tx, organisation) => {
    if (organisation === undefined) throw new AppError('record.missing')
    // The role may have changed since the call was admitted.
    const role = await findMemberRole(tx, { organisation_id: by.actor.id, user_id: member.id })
    if (role !== member.role) throw new AppError('guard.member-role')
    const { result, audited } = await work(tx)
    await recordAudit(deps, tx, by, audited)
    return result
  })
}
