import { randomBytes } from 'node:crypto'
import { createSealer, hashTokenKey, sealedBy } from '@tollgate/config/sealing'
import { toJsonb } from '@tollgate/db/jsonb'
import type { BudgetWindow } from '@tollgate/contracts/pricing/budget-names'
import type { Cluster } from './cluster.ts'
import type { Account } from './load.ts'

const now = (): number => Math.floor(Date.now() / 1000)

type NewBudget = {
  readonly user_id: number
  readonly amount: number
  readonly window?: BudgetWindow
  readonly token_id?: number
  readonly project_id?: number
  readonly member_id?: number
}

export async function importBudget({ db }: Cluster, { window = 'total', ...budget }: NewBudget): Promise<void> {
  const { token_id = 0, project_id = 0, member_id = 0 } = budget
  const scope = token_id > 0 ? 'token' : project_id > 0 ? 'project' : member_id > 0 ? 'member' : 'user'
  const calendar = { window, time_zone: 'UTC', start_day: 1, starts_at: now() }
  await db
    .insertInto('budgets')
    .values({ ...budget, ...calendar, scope, action: 'refuse', alert_percents: toJsonb([]), created_at: now(), updated_at: now() })
    .execute()
}

export async function importUser({ db, shards }: Cluster, credited: number): Promise<number> {
  const name = `user-${randomBytes(4).toString('hex')}`
  const { id } = await db
    .insertInto('users')
    .values({ shard: 0, username: name, display_name: name, credited, created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('users')
    .set({ shard: id % shards })
    .where('id', '=', id)
    .execute()
  await db
    .insertInto('wallet_entries')
    .values({ user_id: id, kind: 'import', amount: credited, reference: `import-${id}`, created_at: now() })
    .execute()
  return id
}

type NewToken = {
  readonly userId: number
  readonly granted: number
  readonly crossesGroups?: boolean
  /** The project that it belongs to, and the member who made it. */
  readonly of?: { readonly project_id: number; readonly created_by: number }
}

/** A token whose key is known; `granted` is its limit. With `crossesGroups`, its requests may move to the next group. */
export async function importToken({ db, env }: Cluster, { userId, granted, crossesGroups = false, of }: NewToken): Promise<Account> {
  const key = randomBytes(24).toString('hex')
  const keyHash = hashTokenKey(key)
  const { id } = await db
    .insertInto('tokens')
    .values({
      user_id: userId,
      name: 'imported',
      key_hash: keyHash,
      key_sealed: createSealer(env['KEY_OPTIONS'] ?? '').seal(key, sealedBy.tokenKey(keyHash)),
      key_head: key.slice(0, 4),
      key_tail: key.slice(-4),
      created_time: now(),
      granted,
      group: crossesGroups ? 'auto' : '',
      cross_group_retry: crossesGroups,
      ...of,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('token_grants')
    .values({ token_id: id, kind: 'import', amount: granted, reference: `import-${id}`, created_at: now() })
    .execute()
  return { user_id: userId, token_id: id, key, isPoor: granted < 1_000_000, crossesGroups, isDeleted: false }
}
