import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import { readOption } from '@tollgate/contracts/options/registry'
import type { TaskChangeSource } from '@tollgate/contracts/tasks/tasks'
import { HOUR_SECONDS, type Quota, type UnixMillis, type UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { logStoreOf } from '@tollgate/db/log-store'
import { addChannelUsage, addTokenSpending, addUsageHours, insertRequestLogs, isConsumeLogged } from '@tollgate/db/queries/ledger/posting'
import { listOptions } from '@tollgate/db/queries/installation/options'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { findChargeTime, updateTask, type TaskPatch, type TaskRow } from '@tollgate/db/queries/tasks/tasks'
import { addGranted, createTokenGrant } from '@tollgate/db/queries/tokens/tokens'
import { addRefunded, creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { listWindowsWithBase, lowerBase } from '@tollgate/db/queries/tokens/budgets'
import { decodeBudgets } from '@tollgate/ledger/client/budget-args'
import { formatQuota } from '@tollgate/domain/pricing/format'
import type { TaskRefund } from '@tollgate/domain/tasks/transition'

type Booking = {
  /** Locked by this transaction. */
  readonly row: TaskRow
  readonly refund: TaskRefund
  readonly source: TaskChangeSource
  /** Changes besides the money. */
  readonly patch: TaskPatch
  readonly now: UnixMillis
}

/**
 * Changes a task and gives back money for it: wallet, token, and a row that takes the charge out of every sum of use. Its reference makes it
 * happen once. Locks in the order of posting: hours, user, token, channel.
 */
export async function refundTask(tx: Tx, { row, refund, source, patch, now: at }: Booking): Promise<void> {
  const { amount, reference } = refund
  const { user_id, token_id } = row
  const now = Math.floor(at / 1000)
  await appendRefundRows(tx, { row, amount, now })
  const booked = await creditWallet(tx, { user_id, kind: 'refund', amount, reference, actor: 0, note: row.action, now })
  if (booked === 'known') throw new Error(`refund ${reference} is booked, but its task ${row.task_id} does not say so`)
  await addRefunded(tx, { user_id, amount })
  await updateTask(tx, { row, patch, refund: amount, source, note: reference, now: at })
  const ofToken = Math.min(amount, row.token_quota)
  await refundBudgets(tx, { row, amount, now })
  if (ofToken > 0 && (await createTokenGrant(tx, { token_id, kind: 'refund', amount: ofToken, reference, actor_id: 0, now }))) {
    await addGranted(tx, { token_id, amount: ofToken })
    await appendOutbox(tx, { subject: 'token', subject_id: token_id, now })
  }
  if (token_id > 0) await addTokenSpending(tx, [{ id: token_id, charged: 0, used: 0 - amount, accessed_time: 0 }])
  if (row.channel_id > 0) await addChannelUsage(tx, [{ channel_id: row.channel_id, shard: 0, used_quota: 0 - amount, requests: 0 }])
}

type BudgetRefund = { readonly row: TaskRow; readonly amount: Quota; readonly now: UnixSeconds }

/** The budgets of a failed task have its refund again. The wallet's new version brings its counters to Redis; a token needs its own. */
async function refundBudgets(tx: Tx, { row, amount, now }: BudgetRefund): Promise<void> {
  const { budgets, user_id, token_id } = row
  const counted = decodeBudgets(budgets).map(({ id, start, account }) => ({
    budget_id: id,
    window_start: start,
    isOfToken: account === 'token',
  }))
  const known = new Set(counted.map(({ budget_id }) => budget_id))
  const based = (await windowsSinceCharge(tx, row, row.submit_time)).map(({ budget_id, window_start, token_id: of }) => ({
    budget_id,
    window_start,
    isOfToken: of > 0,
  }))
  const windows = [...counted, ...based.filter(({ budget_id }) => !known.has(budget_id))].toSorted((a, b) => a.budget_id - b.budget_id)
  await lowerBase(
    tx,
    windows.map(({ budget_id, window_start }) => ({ budget_id, user_id, window_start })),
    amount,
  )
  if (windows.some(({ isOfToken }) => isOfToken)) await announceToken(tx, { token_id, now })
}

type Charged = Pick<TaskRow, 'task_id' | 'user_id' | 'token_id'>

/** Windows of budgets that were set after the charge: they count it by the hourly sums, or since it was posted. */
export async function windowsSinceCharge(tx: Tx, { task_id, user_id, token_id }: Charged, otherwise: UnixMillis) {
  const at = Math.floor(((await findChargeTime(tx, task_id)) ?? otherwise) / 1000)
  return await listWindowsWithBase(tx, { user_id, token_id, at })
}

/** A new version of the token brings the counters of its budgets to Redis. */
export async function announceToken(tx: Tx, { token_id, now }: { readonly token_id: number; readonly now: UnixSeconds }): Promise<void> {
  await addGranted(tx, { token_id, amount: 0 })
  await appendOutbox(tx, { subject: 'token', subject_id: token_id, now })
}

type Refunded = { readonly row: TaskRow; readonly amount: Quota; readonly now: UnixSeconds }

/** The negative row of the request, if requests are logged, and the text of the specification; both in the hour of the refund. */
async function appendRefundRows(tx: Tx, { row, amount, now }: Refunded): Promise<void> {
  const { user_id, token_id, channel_id, model } = row
  const isLogged = await isConsumeLogged(tx)
  const { username, group, token_name } = await chargedAs(tx, row)
  const none = { prompt_tokens: 0, completion_tokens: 0 }
  const shared = { created_at: now, user_id, username, use_time: 0, is_stream: false, other: '', ...NO_FACTS }
  const own = { token_id, channel_id, model_name: model, group, token_name, type: LogType.consume, quota: 0 - amount, ...none }
  const said = { token_id: 0, channel_id: 0, model_name: '', group: '', token_name: '', type: LogType.system, quota: 0, ...none }
  await insertRequestLogs(tx, [
    ...(isLogged ? [{ ...shared, ...own, content: '', request_id: row.request_id, state: REFUNDED }] : []),
    { ...shared, ...said, content: await textOf(tx, row, amount), request_id: '', state: '' },
  ])
  const hour = { user_id, hour: now - (now % HOUR_SECONDS), requests: 0, token_quota: 0, use_time_ms: 0 }
  await addUsageHours(tx, [
    { ...said, ...hour, logged_requests: 1, logged_quota: 0 },
    { ...own, ...hour, logged_requests: isLogged ? 1 : 0, logged_quota: isLogged ? 0 - amount : 0 },
  ])
}

const NO_FACTS = { usage: null, quote: null, explanation: null } as const

/** The names under which a task was charged; without its row, those of today. */
async function chargedAs(tx: Tx, row: TaskRow): Promise<{ username: string; group: string; token_name: string }> {
  const { user_id, token_id, request_id } = row
  if (logStoreOf(tx) !== undefined) return await chargedInHour(tx, row)
  const charged =
    request_id === ''
      ? undefined
      : await tx
          .selectFrom('logs')
          .select(['username', 'group', 'token_name'])
          .where('request_id', '=', request_id)
          .limit(1)
          .executeTakeFirst()
  if (charged !== undefined) return charged
  const token = await tx.selectFrom('tokens').select('name').where('id', '=', token_id).executeTakeFirst()
  return { username: await usernameOf(tx, user_id), group: '', token_name: token?.name ?? '' }
}

/** With a log store, whose answer no money waits for: the names in the sums of the first hour that can have the charge. */
async function chargedInHour(tx: Tx, row: TaskRow): Promise<{ username: string; group: string; token_name: string }> {
  const { user_id, token_id, channel_id, model, submit_time } = row
  const submitted = Math.floor(submit_time / 1000)
  const charged = await tx
    .selectFrom('usage_hours')
    .select(['group', 'token_name'])
    .where('hour', '>=', submitted - (submitted % HOUR_SECONDS))
    .where('user_id', '=', user_id)
    .where('token_id', '=', token_id)
    .where('channel_id', '=', channel_id)
    .where('model_name', '=', model)
    .where('type', '=', LogType.consume)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return { username: await usernameOf(tx, user_id), ...(charged ?? { group: '', token_name: '' }) }
}

/** The texts of the specification. */
async function textOf(tx: Tx, { family, task_id }: TaskRow, amount: number): Promise<string> {
  const stored = new Map((await listOptions(tx)).map(({ key, value }) => [key, value]))
  const quota = formatQuota(amount, {
    display_in_currency: readOption('DisplayInCurrencyEnabled', stored.get('DisplayInCurrencyEnabled')),
    quota_per_unit: readOption('QuotaPerUnit', stored.get('QuotaPerUnit')),
  })
  return family === 'midjourney' ? `构图失败 ${task_id}，补偿 ${quota} 额度` : `异步任务执行失败 ${task_id}，补偿 ${quota}`
}

async function usernameOf(tx: Tx, user_id: number): Promise<string> {
  const user = await tx.selectFrom('users').select('username').where('id', '=', user_id).executeTakeFirst()
  return user?.username ?? ''
}
