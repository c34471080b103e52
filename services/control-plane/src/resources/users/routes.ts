import { AppError } from '@tollgate/contracts/app-error'
import { hasLimit, type Limits } from '@tollgate/contracts/limits'
import { users, type User } from '@tollgate/contracts/resources/users'
import { findUser } from '@tollgate/db/queries/users'
import type { Actor } from '@tollgate/http/actor'
import { handle, type Binding } from '@tollgate/http/handle'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { changeUser } from './change-user.ts'
import { mayManage } from './policy.ts'
import { toUser } from './present.ts'

export const userRoutes = (deps: Deps): Binding[] => [
  handle(users.get, ({ actor, params }) => getUser(deps, actor, params.id)),
  handle(users.setLimits, ({ actor, body, ip }) => setLimits(deps, { actor, ip }, body)),
]

async function getUser(deps: Deps, actor: Actor, id: number): Promise<User> {
  const row = await findUser(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  if (!mayManage(actor, row)) throw new AppError('user.above')
  return toUser(row)
}

type LimitsChange = { readonly id: number; readonly limits: Limits | null }

async function setLimits(deps: Deps, by: By & { readonly actor: Actor }, { id, limits }: LimitsChange): Promise<User> {
  const { actor } = by
  await getUser(deps, actor, id)
  await changeUser(deps, id, { limits: hasLimit(limits) ? limits : null }, by)
  return getUser(deps, actor, id)
}
