import { LogType } from '@tollgate/contracts/enums'
import { readOption } from '@tollgate/contracts/options/registry'
import type { TaskChangeSource } from '@tollgate/contracts/tasks'
import type { UnixMillis } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { appendAccountLog } from '@tollgate/db/queries/account-log'
import { listOptions } from '@tollgate/db/queries/options'
import { appendOutbox } from '@tollgate/db/queries/outbox'
import { updateTask, type TaskPatch, type TaskRow } from '@tollgate/db/queries/tasks'
import { addGranted, createTokenGrant } from '@tollgate/db/queries/tokens'
import { creditWallet } from '@tollgate/db/queries/wallet'
import { formatQuota } from '@tollgate/domain/pricing/format'
import type { TaskRefund } from '@tollgate/domain/tasks/transition'

type Booking = {
  /** Locked by this transaction. */
  readonly row: TaskRow
  readonly refund: TaskRefund
  readonly source: TaskChangeSource
  /** What changes besides the money. */
  readonly patch: TaskPatch
  readonly now: UnixMillis
}

/** Changes a task and gives back money for it: wallet, token, log row. Its reference makes it happen once. */
export async function refundTask(tx: Tx, { row, refund, source, patch, now: at }: Booking): Promise<void> {
  const { amount, reference } = refund
  const { user_id, token_id } = row
  const now = Math.floor(at / 1000)
  const booked = await creditWallet(tx, { user_id, kind: 'refund', amount, reference, actor: 0, note: row.action, now })
  if (booked === 'known') throw new Error(`refund ${reference} is booked, but its task ${row.task_id} does not say so`)
  await updateTask(tx, { row, patch, refund: amount, source, note: reference, now: at })
  const ofToken = Math.min(amount, row.token_quota)
  if (ofToken > 0 && (await createTokenGrant(tx, { token_id, kind: 'refund', amount: ofToken, reference, actor_id: 0, now }))) {
    await addGranted(tx, { token_id, amount: ofToken })
    await appendOutbox(tx, { subject: 'token', subject_id: token_id, now })
  }
  await appendAccountLog(tx, {
    type: LogType.system,
    user_id,
    username: await usernameOf(tx, user_id),
    content: await textOf(tx, row, amount),
    now,
  })
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
