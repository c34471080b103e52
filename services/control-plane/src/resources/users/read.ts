import { AppError } from '@tollgate/contracts/app-error'
import type { PageQuery } from '@tollgate/contracts/values/common-schemas'
import type { User, UserUsage } from '@tollgate/contracts/resources/users'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { listUsers, type UserFilter } from '@tollgate/db/queries/users/user-list'
import { findLastRequestTime, listUserDays } from '@tollgate/db/queries/usage/user-usage'
import { findUser } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { rememberQuotaEditBaseline } from '@tollgate/redis/stores/quota-edit-baseline'
import { nowSeconds, type Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { mayManage } from './policy.ts'
import { toUser } from './present.ts'

type UserPage = { items: User[]; total: number; page: number; page_size: number }

const USAGE_DAYS = 30

/** One page of users, deleted ones included. */
export async function listUserPage(deps: Deps, actor: Actor, query: PageQuery & UserFilter): Promise<UserPage> {
  const { page, page_size, ...range } = pagingOf(query)
  const { items, total } = await listUsers(deps.db, { ...range, keyword: query.keyword.trim(), group: query.group })
  return { items: await show(deps, actor, items.map(toUser)), total, page, page_size }
}

export async function getUser(deps: Deps, actor: Actor, id: number): Promise<User> {
  if (id === 0) throw new AppError('id.blank')
  const row = await findUser(deps.db, id)
  if (row === undefined) throw new AppError('record.missing')
  if (!mayManage(actor, row)) throw new AppError('user.above')
  const [user] = await show(deps, actor, [toUser(row)])
  return user ?? toUser(row)
}

/** The last thirty days, today included, from the sums by day. */
export async function getUserUsage(deps: Deps, actor: Actor, id: number): Promise<UserUsage> {
  await getUser(deps, actor, id)
  const until = nowSeconds(deps) + 1
  const from = until - (until % DAY_SECONDS) - (USAGE_DAYS - 1) * DAY_SECONDS
  return withReadSnapshot(deps, async (tx) => ({
    days: await listUserDays(tx, { user_id: id, from, until }),
    last_request_at: (await findLastRequestTime(tx, id)) ?? 0,
  }))
}

/** Identifies who saw a quota: a session, or a user's access token. */
export function viewerOf(actor: Actor): string {
  return actor.session_hash ?? `user-${actor.id}`
}

/** Remembers the balances that this administrator sees: consoles send them back as absolute values. */
async function show(deps: Deps, actor: Actor, users: User[]): Promise<User[]> {
  const shown = users.map(({ id, quota }) => ({ id, quota }))
  await rememberQuotaEditBaseline(deps.redis, { kind: 'user', viewer: viewerOf(actor), shown })
  return users
}
