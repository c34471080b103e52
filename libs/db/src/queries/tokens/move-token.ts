import { TokenStatus } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import type { Tx } from '../../connect.ts'
import { createBudget, createWindow, listBudgetsOf, listBudgetWindows } from './budgets.ts'

type Move = {
  readonly id: number
  readonly from: number
  readonly to: { readonly user_id: number; readonly project_id: number; readonly created_by: number }
  /** Takes the place of the key in the row that stays. */
  readonly left: { readonly key_hash: string; readonly key_sealed: string }
  readonly now: UnixSeconds
}

/**
 * Gives a token's key, settings and budgets to a new token of another account, without quota. The old row stays, deleted, for its charges
 * and for requests that are running. The caller has locked it. `auth_version` goes on, so that relays take the new record for newer.
 */
export async function moveToken(tx: Tx, { id, from, to, left, now }: Move): Promise<number> {
  const { key_hash, key_sealed, key_head, key_tail } = await tx
    .selectFrom('tokens')
    .select(['key_hash', 'key_sealed', 'key_head', 'key_tail'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('tokens')
    .set({ ...left, key_head: '', key_tail: '', status: TokenStatus.disabled, deleted_at: sql<Date>`now()` })
    .set((eb) => ({ version: eb('version', '+', 1), auth_version: eb('auth_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  const { rows } = await sql<{ id: number }>`
    insert into tokens (user_id, project_id, created_by, key_hash, key_sealed, key_head, key_tail, created_time, auth_version, name, status,
      accessed_time, expired_time, unlimited_quota, model_limits_enabled, model_limits, allow_ips, "group", limits, cross_group_retry, fallback_models,
      telemetry_content, receipt_hashes)
    select ${to.user_id}, ${to.project_id}, ${to.created_by}, ${key_hash}, ${key_sealed}, ${key_head}, ${key_tail}, ${now}, auth_version + 1, name,
      ${TokenStatus.enabled}::int, accessed_time, expired_time, unlimited_quota, model_limits_enabled, model_limits, allow_ips, "group", limits,
      cross_group_retry, fallback_models, telemetry_content, receipt_hashes
    from tokens where id = ${id} returning id`.execute(tx)
  const moved = rows[0]?.id ?? 0
  await copyBudgets(tx, { user_id: from, token_id: id }, { user_id: to.user_id, token_id: moved }, now)
  return moved
}

type Owner = { readonly user_id: number; readonly token_id: number }

/** The running window begins with what was spent in it. */
async function copyBudgets(tx: Tx, from: Owner, to: Owner, now: UnixSeconds): Promise<void> {
  const budgets = await listBudgetsOf(tx, { scope: 'token', ...from, project_id: 0, member_id: 0, group_name: '' })
  const windows = await listBudgetWindows(tx, { ids: budgets.map(({ id }) => id), user_id: from.user_id, limit: 1 })
  for (const { id, ...budget } of budgets) {
    const budget_id = await createBudget(tx, { ...budget, ...to })
    const running = windows.find((window) => window.budget_id === id && window.window_end > now)
    if (running === undefined) continue
    const { window_start, window_end, base, spent } = running
    await createWindow(tx, { budget_id, ...to, window_start, window_end, base: base + spent })
  }
}
