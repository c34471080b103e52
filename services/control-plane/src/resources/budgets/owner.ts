import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { BudgetOwnerQuery } from '@tollgate/contracts/resources/budgets'
import type { Db, Tx } from '@tollgate/db/connect'
import type { BudgetOwner, BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import { findTokenOwner } from '@tollgate/db/queries/tokens/tokens'
import { findUser } from '@tollgate/db/queries/users/users'
import { findProjectName } from '@tollgate/db/queries/tokens/projects'
import { findMemberRole } from '@tollgate/db/queries/users/organisations'
import { hasRight } from '@tollgate/domain/access/rights'
import type { Actor } from '@tollgate/http/actor'
import { mayManage } from '../users/policy.ts'

/** Whose budgets, with what their counters are kept under. */
export type Owner = BudgetOwner & { readonly token_name: string }

const NONE = { token_id: 0, project_id: 0, member_id: 0, group_name: '', token_name: '' } as const

/**
 * The owner that a call names. Throws when it does not exist, or when the caller may not even see its budgets: own ones and those of own
 * tokens, as a member those of the organisation, its projects and members, as an administrator those of users of a lower role, as root
 * those of groups.
 */
export async function getOwner(
  db: Db | Tx,
  actor: Actor,
  { token_id, user_id, project_id, member_id, group }: BudgetOwnerQuery,
): Promise<Owner> {
  if ([token_id > 0, user_id > 0, project_id > 0, member_id > 0, group !== ''].filter(Boolean).length !== 1)
    throw new AppError('params.invalid')
  if (project_id > 0 || member_id > 0) return await getPart(db, actor, { project_id, member_id })
  if (group !== '') {
    if (actor.role < Role.admin) throw new AppError('record.missing')
    return { ...NONE, scope: 'group', user_id: 0, group_name: group }
  }
  const token = token_id > 0 ? await findTokenOwner(db, token_id) : undefined
  if (token_id > 0 && token === undefined) throw new AppError('record.missing')
  const owner_id = token?.user_id ?? user_id
  if (owner_id !== actor.id) {
    const user = await findUser(db, owner_id)
    if (actor.role < Role.admin || user === undefined || !mayManage(actor, user)) throw new AppError('record.missing')
  }
  return { ...NONE, scope: token === undefined ? 'user' : 'token', user_id: owner_id, token_id, token_name: token?.name ?? '' }
}

type Part = { readonly project_id: number; readonly member_id: number }

/** A project or member of the chosen organisation. */
async function getPart(db: Db | Tx, actor: Actor, { project_id, member_id }: Part): Promise<Owner> {
  if (actor.member === undefined) throw new AppError('organisations.not-chosen')
  const organisation_id = actor.id
  const name =
    project_id > 0
      ? await findProjectName(db, { id: project_id, organisation_id })
      : (await findMemberRole(db, { organisation_id, user_id: member_id })) && (await findUser(db, member_id))?.username
  if (name === undefined) throw new AppError('record.missing')
  const scope = project_id > 0 ? 'project' : 'member'
  return { ...NONE, scope, user_id: organisation_id, project_id, member_id, token_name: name }
}

/**
 * True if the caller may change this budget. A person's own account gets them from others, so that they hold; an organisation from its
 * members who have the right, beside those that the operator sets for it.
 */
export function maySet(actor: Actor, { scope, user_id, is_by_member }: SetBudget): boolean {
  if (scope === 'group') return actor.role === Role.root
  if (actor.member !== undefined)
    return user_id === actor.id && hasRight(actor.member.role, 'budgets.write') && (scope !== 'user' || is_by_member === true)
  if (scope === 'token' && user_id === actor.id) return true
  return user_id === actor.id ? actor.role === Role.root : actor.role >= Role.admin
}

type SetBudget = Pick<BudgetRow, 'scope' | 'user_id' | 'is_by_member'>
