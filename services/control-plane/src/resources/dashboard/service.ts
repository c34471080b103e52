import { AppError } from '@tollgate/contracts/app-error'
import type { UsageDatum } from '@tollgate/contracts/resources/dashboard'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { listUsage, listUsageOfUser, type UsageRow } from '@tollgate/db/queries/usage/usage'
import { findUserIdByName } from '@tollgate/db/queries/users/usernames'
import type { Actor } from '@tollgate/http/actor'
import type { Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

type Range = { readonly start_timestamp: number; readonly end_timestamp: number }

const MAX_OWN_SECONDS = 30 * DAY_SECONDS

/** Usage of all users by hour and model, or of one user by name. */
export function listUsageData(deps: Deps, query: Range & { readonly username: string }): Promise<UsageDatum[]> {
  return withReadSnapshot(deps, async (tx) => {
    const { username } = query
    if (username === '') return (await listUsage(tx, toRange(query))).map((row) => toDatum(row, { user_id: 0, username }))
    const user_id = await findUserIdByName(tx, username)
    if (user_id === undefined) return []
    return (await listUsageOfUser(tx, { ...toRange(query), user_id })).map((row) => toDatum(row, { user_id, username }))
  })
}

export function listOwnUsage(deps: Deps, { id: user_id, username }: Actor, query: Range): Promise<UsageDatum[]> {
  if (query.end_timestamp - query.start_timestamp > MAX_OWN_SECONDS) throw new AppError('dashboard.range')
  return withReadSnapshot(deps, async (tx) => {
    const rows = await listUsageOfUser(tx, { ...toRange(query), user_id })
    return rows.map((row) => toDatum(row, { user_id, username }))
  })
}

const toRange = ({ start_timestamp, end_timestamp }: Range) => ({ from: start_timestamp, to: end_timestamp })

/** Sums have no row of their own, so their id is 0. */
function toDatum({ hour, model_name, requests, tokens, quota }: UsageRow, whose: { user_id: number; username: string }): UsageDatum {
  return { id: 0, ...whose, model_name, created_at: hour, token_used: tokens, count: requests, quota }
}
