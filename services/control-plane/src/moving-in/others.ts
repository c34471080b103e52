import { sealedBy } from '@tollgate/config/sealing'
import type { OrderRecord, SubscriptionRecord, TaskRecord } from '@tollgate/contracts/moving-in/records'
import type { Quota } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { saveCarriedCode, saveCarriedOrder } from '@tollgate/db/queries/moving-in/import-accounts'
import { saveCarriedTask } from '@tollgate/db/queries/moving-in/import-use'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { hashCode } from '../resources/redemptions/code.ts'
import { amountIn, type Made, type Run, type Writer } from './carry.ts'

export const codeWriter: Writer<'codes'> = {
  kind: 'codes',
  idOf: ({ id }) => String(id),
  create: async (run, tx, records) => {
    const ids = await run.ids.take(
      tx,
      'codes',
      records.map(({ id }) => id),
    )
    for (const [index, record] of records.entries()) await saveCode(run, tx, record, ids[index] ?? 0)
    return records.map((_, index) => ({ target_id: ids[index] ?? 0 }))
  },
  update: async (run, tx, record, before) => {
    await saveCode(run, tx, record, before.target_id)
    return { target_id: before.target_id }
  },
}

type Code = Parameters<typeof codeWriter.update>[2]

async function saveCode(
  run: Run,
  tx: Tx,
  { key, user_id, used_user_id, status, name, quota, created_time, redeemed_time, expired_time }: Code,
  id: number,
): Promise<void> {
  const users = await run.ids.resolve(tx, 'users', [user_id, used_user_id])
  const key_hash = hashCode(key)
  await saveCarriedCode(tx, {
    id,
    key_hash,
    key_sealed: run.deps.sealers.options.seal(key, sealedBy.redemptionKey(key_hash)),
    user_id: users.get(user_id) ?? 0,
    used_user_id: users.get(used_user_id) ?? 0,
    status,
    name,
    quota,
    created_time,
    redeemed_time,
    expired_time,
  })
}

export const orderWriter: Writer<'orders'> = {
  kind: 'orders',
  idOf: ({ id }) => String(id),
  create: async (run, tx, records) => {
    const made: (Made | undefined)[] = []
    for (const record of records) made.push(await saveOrder(run, tx, record))
    return made
  },
  update: saveOrder,
}

/** The money is in the wallet already: an order is a record of a payment. One that is open is paid in the source or not at all. */
async function saveOrder(run: Run, tx: Tx, record: OrderRecord): Promise<Made | undefined> {
  const at = `top_ups ${record.id}`
  const user_id = (await run.ids.resolve(tx, 'users', [record.user_id])).get(record.user_id)
  if (user_id === undefined) {
    run.found.refuse('orders', { kind: 'orders', at, code: 'no-owner', detail: record.trade_no })
    return undefined
  }
  if (record.status === 'pending') run.found.list('decisions', { kind: 'orders', at, code: 'open-order', detail: record.trade_no })
  const quota: Quota = Math.round(record.amount * run.quotaPerUnit)
  const isStripe = /stripe/i.test(record.method)
  const target_id = await saveCarriedOrder(tx, {
    trade_no: record.trade_no,
    user_id,
    provider: isStripe ? 'stripe' : 'epay',
    method: record.method,
    amount: record.amount,
    quota,
    currency: isStripe ? 'usd' : 'cny',
    places: 2,
    money: record.money,
    status: record.status === 'paid' ? 'paid' : 'expired',
    created_at: record.created_at,
    paid_at: record.status === 'paid' ? Math.max(record.paid_at, record.created_at) : 0,
    note: `import ${run.name}`,
  })
  return { target_id }
}

export const subscriptionWriter: Writer<'subscriptions'> = {
  kind: 'subscriptions',
  idOf: ({ id }) => String(id),
  create: async (run, tx, records) => {
    const made: (Made | undefined)[] = []
    for (const record of records) made.push(await credit(run, tx, record, { amount: 0, moves: 0 }))
    return made
  },
  update: async (run, tx, record, before) =>
    await credit(run, tx, record, { amount: amountIn(before, 'amount'), moves: amountIn(before, 'moves') + 1 }),
}

/** The rest of a subscription becomes balance, which has no end. */
async function credit(run: Run, tx: Tx, record: SubscriptionRecord, before: { amount: number; moves: number }): Promise<Made | undefined> {
  const at = `user_subscriptions ${record.id}`
  const user_id = (await run.ids.resolve(tx, 'users', [record.user_id])).get(record.user_id)
  if (user_id === undefined) {
    run.found.refuse('subscriptions', { kind: 'subscriptions', at, code: 'no-owner', detail: record.plan })
    return undefined
  }
  const amount = record.is_active && record.ends_at > run.now ? record.remaining : 0
  const reference = `import:${run.name}:subscription:${record.id}:${before.moves}`
  // In a dry run the account of a new user is not there.
  if (amount !== before.amount && !run.isDryRun)
    await creditWallet(tx, {
      user_id,
      kind: 'import',
      amount: amount - before.amount,
      reference,
      actor: 0,
      note: record.plan.slice(0, 100),
      now: run.now,
    })
  if (amount > 0)
    run.found.list('decisions', { kind: 'subscriptions', at, code: 'subscription-as-balance', detail: record.plan, quota: amount })
  return { target_id: record.id, state: { amount, moves: before.moves } }
}

export const taskWriter: Writer<'tasks'> = {
  kind: 'tasks',
  idOf: ({ family, id }) => `${family === 'midjourney' ? 'drawing' : 'task'}:${id}`,
  create: async (run, tx, records) => {
    const made: (Made | undefined)[] = []
    for (const record of records) made.push(await saveTask(run, tx, record))
    return made
  },
  update: saveTask,
}

async function saveTask(run: Run, tx: Tx, record: TaskRecord): Promise<Made | undefined> {
  const at = `${record.origin.table} ${record.id}`
  const user_id = (await run.ids.resolve(tx, 'users', [record.user_id])).get(record.user_id)
  const refusal = user_id === undefined ? 'no-owner' : record.task_id === '' ? 'id' : record.state === 'open' ? 'open-task' : undefined
  if (user_id === undefined || refusal !== undefined) {
    run.found.refuse('tasks', { kind: 'tasks', at, code: refusal ?? 'no-owner', detail: record.task_id })
    return undefined
  }
  const channel = (await run.ids.resolve(tx, 'channels', [record.channel_id])).get(record.channel_id)
  const target_id = await saveCarriedTask(tx, {
    task_id: record.task_id,
    family: record.family,
    platform: record.platform,
    user_id,
    channel_id: channel ?? 0,
    request_id: `import:${run.name}:${record.origin.table}:${record.id}`,
    vendor_task_id: record.task_id,
    action: record.action,
    state: record.state === 'success' ? 'success' : 'failure',
    status: record.status,
    progress: record.progress,
    prompt: record.prompt,
    prompt_en: record.prompt_en,
    description: record.description,
    fail_reason: record.fail_reason,
    image_url: record.image_url,
    properties: record.properties,
    data: record.data ?? null,
    // The source has given back what a failed task cost.
    quota: record.state === 'success' ? record.quota : 0,
    submit_time: record.submit_time,
    start_time: record.start_time,
    finish_time: record.finish_time,
    now: run.now,
  })
  return { target_id }
}
