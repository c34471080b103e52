import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { BudgetOwnerQuery } from '@tollgate/contracts/resources/budgets'
import type { Db, Tx } from '@tollgate/db/connect'
import type { BudgetOwner } from '@tollgate/db/queries/tokens/budgets'
import { findTokenOwner } from '@tollgate/db/queries/tokens/tokens'
import { findUser } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { mayManage } from '../users/policy.ts'

/** Whose budgets, with what their counters are kept under. */
export type Owner = BudgetOwner & { readonly token_name: string }

/**
 * The token, user or group that a call names. Throws when it does not exist, or when the caller may not even see its budgets: own ones and
 * those of own tokens, as an administrator those of users of a lower role, as root those of groups.
 */
export async function getOwner(db: Db | Tx, actor: Actor, { token_id, user_id, group }: BudgetOwnerQuery): Promise<Owner> {
  if ([token_id > 0, user_id > 0, group !== ''].filter(Boolean).length !== 1) throw new AppError('params.invalid')
  if (group !== '') {
    if (actor.role < Role.admin) throw new AppError('record.missing')
    return { scope: 'group', user_id: 0, token_id: 0, group_name: group, token_name: '' }
  }
  const token = token_id > 0 ? await findTokenOwner(db, token_id) : undefined
  if (token_id > 0 && token === undefined) throw new AppError('record.missing')
  const owner_id = token?.user_id ?? user_id
  if (owner_id !== actor.id) {
    const user = await findUser(db, owner_id)
    if (actor.role < Role.admin || user === undefined || !mayManage(actor, user)) throw new AppError('record.missing')
  }
  return { scope: token === undefined ? 'user' : 'token', user_id: owner_id, token_id, group_name: '', token_name: token?.name ?? '' }
}

/** Whether the caller may change budgets of this owner; the own account's are set by others, so that they hold. */
export function maySet(actor: Actor, { scope, user_id }: Pick<BudgetOwner, 'scope' | 'user_id'>): boolean {
  if (scope === 'group') return actor.role === Role.root
  if (scope === 'token' && user_id === actor.id) return true
  return user_id === actor.id ? actor.role === Role.root : actor.role >= Role.admin
}
