import type {
  CodeRecord,
  HourRecord,
  LogRecord,
  OptionRecord,
  OrderRecord,
  SubscriptionRecord,
  TaskRecord,
} from '@tollgate/contracts/moving-in/records'
import { HOUR_SECONDS, MAX_QUOTA } from '@tollgate/contracts/units'
import type { Cells } from '../cells/cells.ts'
import type { Made } from '../source.ts'
import type { Family } from './family.ts'
import { EXPRESSION_OPTION, MODE_OPTION } from './stated-prices.ts'

/** Times before 2020 are none: no program of these families is older. */
const OLDEST = 1_577_836_800
const isTime = (time: number): boolean => time >= OLDEST && time < 4_102_444_800

export function toOption(cells: Cells): Made<OptionRecord> {
  const key = cells.text('key')
  if (key === '') return { refused: 'name' }
  // They are read as prices.
  if (key === MODE_OPTION || key === EXPRESSION_OPTION) return { skipped: true }
  return { record: { origin: { table: 'options', id: key }, notes: cells.notes, key, value: cells.text('value') } }
}

export function toCode(cells: Cells): Made<CodeRecord> {
  const id = cells.int('id')
  const key = cells.text('key').trim()
  const quota = cells.int('quota')
  if (cells.isSet('deleted_at')) return { skipped: true }
  if (id <= 0) return { refused: 'id' }
  if (key === '') return { refused: 'code-key' }
  if (quota <= 0 || quota > MAX_QUOTA) return { refused: 'code-quota' }
  const status = cells.int('status', 1)
  return {
    record: {
      origin: { table: 'redemptions', id: String(id) },
      notes: cells.notes,
      id,
      user_id: cells.int('user_id'),
      key,
      status: status >= 1 && status <= 3 ? status : 2,
      name: cells.text('name'),
      quota,
      created_time: cells.int('created_time', 0, { min: 0 }),
      redeemed_time: cells.int('redeemed_time', 0, { min: 0 }),
      used_user_id: cells.int('used_user_id'),
      expired_time: cells.int('expired_time', 0, { min: 0 }),
    },
  }
}

export function toOrder(cells: Cells): Made<OrderRecord> {
  const id = cells.int('id')
  const trade_no = cells.text('trade_no').trim()
  const amount = cells.int('amount')
  if (id <= 0 || trade_no === '') return { refused: 'id' }
  if (amount <= 0 || amount > 1e9) return { refused: 'order-amount' }
  const status = cells.text('status')
  return {
    record: {
      origin: { table: 'top_ups', id: String(id) },
      notes: cells.notes,
      id,
      user_id: cells.int('user_id'),
      trade_no,
      method: cells.text('payment_method') || 'unknown',
      amount,
      money: Math.max(0, Math.round(cells.number('money') * 100)),
      status: status === 'success' ? 'paid' : status === 'pending' ? 'pending' : 'expired',
      created_at: cells.int('create_time', 0, { min: 0 }),
      paid_at: cells.int('complete_time', 0, { min: 0 }),
    },
  }
}

export function toSubscription(cells: Cells, plans: ReadonlyMap<number, string>): Made<SubscriptionRecord> {
  const id = cells.int('id')
  if (id <= 0) return { refused: 'id' }
  const plan = cells.int('plan_id')
  const remaining = cells.int('amount_total') - cells.int('amount_used')
  return {
    record: {
      origin: { table: 'user_subscriptions', id: String(id) },
      notes: cells.notes,
      id,
      user_id: cells.int('user_id'),
      plan: plans.get(plan) ?? String(plan),
      remaining: Math.min(Math.max(remaining, 0), MAX_QUOTA / 2),
      ends_at: cells.int('end_time', 0, { min: 0 }),
      is_active: cells.text('status') === 'active',
    },
  }
}

type TaskEnd = TaskRecord['state']
const endOf = (status: string): TaskEnd =>
  status === 'SUCCESS' ? 'success' : status === 'FAILURE' || status === 'CANCEL' ? 'failure' : 'open'

export function toDrawing(cells: Cells): Made<TaskRecord> {
  const id = cells.int('id')
  if (id <= 0) return { refused: 'id' }
  const status = cells.text('status')
  const { buttons, properties } = { buttons: cells.json('buttons'), properties: cells.object('properties') ?? {} }
  const video_url = cells.text('video_url')
  return {
    record: {
      origin: { table: 'midjourneys', id: String(id) },
      notes: cells.notes,
      id,
      family: 'midjourney',
      platform: 'mj',
      task_id: cells.text('mj_id'),
      user_id: cells.int('user_id'),
      channel_id: cells.int('channel_id'),
      action: cells.text('action'),
      status,
      state: endOf(status),
      progress: cells.text('progress'),
      prompt: cells.text('prompt'),
      prompt_en: cells.text('prompt_en'),
      description: cells.text('description'),
      fail_reason: cells.text('fail_reason'),
      image_url: cells.text('image_url') || video_url,
      properties: { ...properties, ...(buttons === undefined ? {} : { buttons }) },
      data: undefined,
      quota: cells.int('quota', 0, { min: 0, max: 1e12 }),
      submit_time: cells.int('submit_time', 0, { min: 0 }),
      start_time: cells.int('start_time', 0, { min: 0 }),
      finish_time: cells.int('finish_time', 0, { min: 0 }),
    },
  }
}

export function toTask(cells: Cells): Made<TaskRecord> {
  const id = cells.int('id')
  if (id <= 0) return { refused: 'id' }
  const status = cells.text('status')
  const platform = cells.text('platform')
  const millis = (column: string): number => cells.int(column, 0, { min: 0, max: 4_102_444_800 }) * 1000
  return {
    record: {
      origin: { table: 'tasks', id: String(id) },
      notes: cells.notes,
      id,
      family: platform === 'suno' ? 'suno' : 'video',
      platform,
      task_id: cells.text('task_id'),
      user_id: cells.int('user_id'),
      channel_id: cells.int('channel_id'),
      action: cells.text('action'),
      status,
      state: endOf(status),
      progress: cells.text('progress'),
      prompt: '',
      prompt_en: '',
      description: '',
      fail_reason: cells.text('fail_reason'),
      image_url: '',
      properties: cells.object('properties') ?? {},
      data: cells.json('data'),
      quota: cells.int('quota', 0, { min: 0, max: 1e12 }),
      submit_time: millis('submit_time'),
      start_time: millis('start_time'),
      finish_time: millis('finish_time'),
    },
  }
}

export function toHour(cells: Cells): Made<HourRecord> {
  const id = cells.int('id')
  const at = cells.int('created_at')
  if (id <= 0) return { refused: 'id' }
  if (!isTime(at)) return { refused: 'time' }
  return {
    record: {
      origin: { table: 'quota_data', id: String(id) },
      notes: cells.notes,
      id,
      user_id: cells.int('user_id'),
      model: cells.text('model_name'),
      hour: at - (at % HOUR_SECONDS),
      requests: cells.int('count', 0, { min: 0 }),
      tokens: cells.int('token_used', 0, { min: 0 }),
      quota: cells.int('quota', 0, { min: -1e14, max: 1e14 }),
    },
  }
}

/** A call that one-api made to test a channel, and a refund of new-api: neither is a request. */
const OTHER_TYPES = { 'one-api': { 5: 4 }, 'new-api': { 6: 4 } } as const satisfies Record<Family, Record<number, number>>

export function toLog(cells: Cells, family: Family): Made<LogRecord> {
  const id = cells.int('id')
  const created_at = cells.int('created_at')
  if (id <= 0) return { refused: 'id' }
  if (!isTime(created_at)) return { refused: 'time' }
  const stored = cells.int('type', 4)
  const changed: Readonly<Record<number, number>> = OTHER_TYPES[family]
  const type = changed[stored] ?? (stored >= 1 && stored <= 5 ? stored : 4)
  const isRequest = type === 2
  return {
    record: {
      origin: { table: 'logs', id: String(id) },
      notes: cells.notes,
      id,
      created_at,
      type,
      user_id: cells.int('user_id'),
      username: cells.text('username'),
      token_id: cells.int('token_id'),
      token_name: cells.text('token_name'),
      channel_id: cells.int('channel_id'),
      model: cells.text('model_name'),
      group: cells.text('group'),
      quota: isRequest ? cells.int('quota', 0, { min: -1e12, max: 1e12 }) : 0,
      prompt_tokens: cells.int('prompt_tokens', 0, { min: 0, max: 1e12 }),
      completion_tokens: cells.int('completion_tokens', 0, { min: 0, max: 1e12 }),
      use_time: Math.min(
        cells.has('elapsed_time') ? Math.round(cells.int('elapsed_time', 0, { min: 0 }) / 1000) : cells.int('use_time', 0, { min: 0 }),
        1e6,
      ),
      is_stream: cells.flag('is_stream'),
      content: cells.text('content'),
      other: family === 'one-api' && isRequest ? ratiosOf(cells.text('content')) : otherOf(cells),
      request_id: cells.text('request_id'),
    },
  }
}

/** one-api writes the ratios of model, group and answer into the text, with two decimals: the model's is often cut. */
function ratiosOf(content: string): string {
  const [, , group = '', answer = ''] = /([\d.]+) × ([\d.]+) × ([\d.]+)/.exec(content) ?? []
  return answer === '' ? '' : JSON.stringify({ group_ratio: Number(group), completion_ratio: Number(answer) })
}

/** Prices and times of the request, without what concerns administrators only. */
function otherOf(cells: Cells): string {
  const parsed = cells.object('other')
  if (parsed === undefined) return ''
  const { admin_info: _, ...shown } = parsed
  return JSON.stringify(shown)
}
