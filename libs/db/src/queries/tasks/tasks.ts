import { sql, type Selectable } from 'kysely'
import {
  ENDED_TASK_STATES,
  isEndedTask,
  type TaskChangeSource,
  type TaskFamily,
  type TaskMedia,
  type TaskState,
  type TaskSubmission,
} from '@tollgate/contracts/tasks/tasks'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import type { Quota, UnixMillis } from '@tollgate/contracts/units'
import { toArray } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'
import { queueMediaCopy } from './media-copies.ts'

/** Tasks (ADR 67). Decisions about their states and money are in libs/domain/src/tasks. */
export type TaskRow = Selectable<Database['tasks']>
export type DueTask = TaskRow & Pick<Selectable<Database['task_polls']>, 'poll_failures' | 'unread_since' | 'unread_digest'>
export type TaskChangeRow = Selectable<Database['task_changes']>

export type NewTask = {
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number
  readonly channel_id: number
  readonly model: string
  readonly task: TaskSubmission
}

/** Vendors rarely end a task within the first seconds. */
const FIRST_POLL_MS = 2000

/** Adds a task without its charge; no effect when its usage event, or an earlier call, has added it. */
export async function createTask(tx: Tx, given: NewTask): Promise<void> {
  const { task_id, submit_time } = given.task
  const added = await tx
    .insertInto('tasks')
    .values(toRow(given))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) return
  await appendTaskChange(tx, { task_id, version: 0, at: submit_time, source: 'submit', ...shownOf(given.task) })
  if (isEndedTask(given.task.state)) return
  await tx
    .insertInto('task_polls')
    .values({ task: added.id, channel_id: given.channel_id, next_poll_at: submit_time + FIRST_POLL_MS })
    .execute()
}

function toRow({ task, ...rest }: NewTask) {
  const { properties, ...plain } = task
  return {
    ...rest,
    ...plain,
    ...(properties === undefined ? {} : { properties: toJsonb(properties) }),
    updated_at: task.submit_time,
  }
}

const shownOf = ({ state, status, progress }: Pick<TaskSubmission, 'state' | 'status' | 'progress'>) => ({ state, status, progress })

type TaskCharge = {
  readonly quote: Quote
  readonly quota: Quota
  readonly token_quota: Quota
  readonly at: UnixMillis
  /** The windows of budgets that counted the request; empty: none. */
  readonly budgets: string
}
export type PostedTask = NewTask & TaskCharge

/** Books the charge of a task, which may exist already, in the posting transaction; returns the locked row. */
export async function postTask(tx: Tx, { quote, quota, token_quota, at, budgets, ...given }: PostedTask): Promise<TaskRow> {
  await createTask(tx, given)
  const row = await chargeTask(tx, { request_id: given.request_id, quote, quota, token_quota, at, budgets })
  if (row === undefined) throw new Error(`task ${given.task.task_id} was neither added nor found`)
  return row
}

/** Books the charge of the task that a request created, for a usage event that does not carry it; undefined: it created none. */
export async function chargeTask(
  tx: Tx,
  { request_id, quote, quota, token_quota, at, budgets }: TaskCharge & Pick<NewTask, 'request_id'>,
): Promise<TaskRow | undefined> {
  const row = await tx
    .updateTable('tasks')
    .set((eb) => ({
      is_posted: true,
      quote: toJsonb(quote),
      ...(budgets === '' ? {} : { budgets }),
      quota: eb('quota', '+', quota),
      token_quota: eb('token_quota', '+', token_quota),
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('request_id', '=', request_id)
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined)
    await appendTaskChange(tx, { task_id: row.task_id, version: row.version, at, source: 'posting', quota, ...shownOf(row) })
  return row
}

/** When the charge of a task was made; undefined: it was not posted. */
export async function findChargeTime(tx: Tx, task_id: string): Promise<UnixMillis | undefined> {
  const change = await tx
    .selectFrom('task_changes')
    .select('at')
    .where('task_id', '=', task_id)
    .where('source', '=', 'posting')
    .where('quota', '>', 0)
    .orderBy('version')
    .limit(1)
    .executeTakeFirst()
  return change?.at
}

export type NewTaskChange = {
  readonly task_id: string
  readonly version: number
  readonly at: UnixMillis
  readonly source: TaskChangeSource
  readonly state: TaskState
  readonly status: string
  readonly progress: string
  /** Charged; negative: given back. */
  readonly quota?: Quota
  readonly note?: string
}

async function appendTaskChange(tx: Tx, change: NewTaskChange): Promise<void> {
  await tx
    .insertInto('task_changes')
    .values(change)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Claim = {
  readonly now: UnixMillis
  readonly lease_ms: number
  readonly limit: number
  /** Channels that are being asked. */
  readonly busy: readonly number[]
}

/** Takes due tasks of other channels than these: until `lease_ms` is over no other worker takes them. */
export async function claimDueTasks(db: Db, { now, lease_ms, limit, busy }: Claim): Promise<DueTask[]> {
  const { rows } = await sql<DueTask>`
    with due as (
      select task from task_polls where next_poll_at <= ${now} and channel_id <> all (${toArray(busy, 'bigint')})
      order by next_poll_at limit ${limit} for update skip locked
    ), claimed as (
      update task_polls set next_poll_at = ${now + lease_ms}, polls = polls + 1
      from due where task_polls.task = due.task returning task_polls.task, poll_failures, unread_since, unread_digest
    )
    select tasks.*, claimed.poll_failures, claimed.unread_since, claimed.unread_digest from claimed join tasks on tasks.id = claimed.task`.execute(
    db,
  )
  return rows
}

/**
 * Sets when these claimed tasks are asked about next. `failed`: the vendor could not be asked. One that was woken meanwhile stays due: what
 * woke it may be newer than the answer. A task that is being changed keeps its lease, so that no order of locks can deadlock.
 */
export async function postponeTasks(
  db: Db,
  ids: readonly number[],
  { next_poll_at, failed, now }: { readonly next_poll_at: UnixMillis; readonly failed: boolean; readonly now: UnixMillis },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('task_polls')
    .set((eb) => ({ next_poll_at: unlessDue(now, next_poll_at), poll_failures: failed ? eb('poll_failures', '+', 1) : eb.val(0) }))
    .where('task', 'in', (eb) => eb.selectFrom('task_polls').select('task').where('task', 'in', ids).forUpdate().skipLocked())
    .execute()
}

/** The time of a claimed task is in the future, until something wakes it. */
const unlessDue = (now: UnixMillis, next_poll_at: UnixMillis) =>
  sql<number>`case when next_poll_at <= ${now} then next_poll_at else ${next_poll_at} end`

/** Keeps since when a task's vendor says the same in a way that is not understood; null: it is understood again. */
export async function noteUnread(
  db: Db,
  task: number,
  { unread_since, unread_digest }: Pick<DueTask, 'unread_since' | 'unread_digest'>,
): Promise<void> {
  await db.updateTable('task_polls').set({ unread_since, unread_digest }).where('task', '=', task).execute()
}

/**
 * Those of a vendor's ids that no task of the channel has. Held until the end of the transaction, so that one id is given to one task of
 * those that look for theirs at the same time.
 */
export async function freeVendorIds(tx: Tx, channel_id: number, ids: readonly string[]): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('lost tasks', ${channel_id}))`.execute(tx)
  const rows = await tx
    .selectFrom('tasks')
    .select('vendor_task_id')
    .where('vendor_task_id', 'in', ids)
    .where('channel_id', '=', channel_id)
    .execute()
  const taken = new Set(rows.map((row) => row.vendor_task_id))
  return ids.filter((id) => !taken.has(id))
}

/** Makes open tasks due at once. */
export async function wakeTasks(db: Db, task_ids: readonly string[], now: UnixMillis): Promise<void> {
  await db
    .updateTable('task_polls')
    .set({ next_poll_at: now })
    .where('task', 'in', (eb) => eb.selectFrom('tasks').select('id').where('task_id', 'in', task_ids))
    .execute()
}

export function lockTask(tx: Tx, id: number): Promise<TaskRow | undefined> {
  return tx.selectFrom('tasks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export type TaskPatch = Partial<
  Pick<
    TaskRow,
    | 'vendor_task_id'
    | 'state'
    | 'status'
    | 'progress'
    | 'prompt'
    | 'prompt_en'
    | 'description'
    | 'fail_reason'
    | 'image_url'
    | 'start_time'
    | 'finish_time'
  >
> & {
  readonly media?: readonly TaskMedia[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

type TaskUpdate = {
  readonly row: TaskRow
  readonly patch: TaskPatch
  readonly refund: Quota
  readonly source: TaskChangeSource
  readonly note?: string
  readonly next_poll_at?: UnixMillis
  readonly now: UnixMillis
}

/** Changes a task that `lockTask` locked, and records the change. */
export async function updateTask(tx: Tx, { row, patch, refund, source, note = '', next_poll_at, now }: TaskUpdate): Promise<void> {
  const { media, properties, data, ...plain } = patch
  const version = row.version + 1
  await tx
    .updateTable('tasks')
    .set({
      ...plain,
      ...(media === undefined ? {} : { media: toJsonb(media) }),
      ...(properties === undefined ? {} : { properties: toJsonb(properties) }),
      ...(data === undefined ? {} : { data: toJsonb(data) }),
      refunded: row.refunded + refund,
      version,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute()
  const { state, status, progress } = { ...row, ...patch }
  if (isEndedTask(state)) await tx.deleteFrom('task_polls').where('task', '=', row.id).execute()
  else if (next_poll_at !== undefined)
    await tx
      .updateTable('task_polls')
      .set({ next_poll_at: unlessDue(now, next_poll_at), poll_failures: 0 })
      .where('task', '=', row.id)
      .execute()
  await appendTaskChange(tx, { task_id: row.task_id, version, at: now, source, state, status, progress, quota: 0 - refund, note })
}

type Question = { readonly task_ids: readonly string[]; readonly user_id?: number | undefined; readonly family?: TaskFamily | undefined }

/** Tasks by their public ids, unless their owner removed them; without a user, of any. */
export function findTasks(db: Db, { task_ids, user_id, family }: Question): Promise<TaskRow[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('task_id', 'in', task_ids)
    .where('removed_at', '=', 0)
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
    .$if(family !== undefined, (query) => query.where('family', '=', family ?? 'video'))
    .execute()
}

type Page = {
  readonly user_id: number
  readonly family: TaskFamily
  /** The last task of the page before. */
  readonly after?: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

/** A user's tasks of a family by time of submission; undefined: `after` is none of them. */
export async function listOwnTasks(
  db: Db,
  { user_id, family, after, limit, order }: Page,
): Promise<{ readonly tasks: TaskRow[]; readonly has_more: boolean } | undefined> {
  const [last] = after === undefined ? [] : await findTasks(db, { task_ids: [after], user_id, family })
  if (after !== undefined && last === undefined) return undefined
  const beyond = order === 'asc' ? '>' : '<'
  const tasks = await db
    .selectFrom('tasks')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('family', '<>', 'midjourney')
    .where('family', '=', family)
    .where('removed_at', '=', 0)
    .$if(last !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('submit_time', 'id'), beyond, eb.tuple(last?.submit_time ?? 0, last?.id ?? 0))),
    )
    .orderBy('submit_time', order)
    .orderBy('id', order)
    .limit(limit + 1)
    .execute()
  return { tasks: tasks.slice(0, limit), has_more: tasks.length > limit }
}

type Removal = { readonly task_id: string; readonly user_id: number; readonly now: UnixMillis }

/** Hides an ended task from its owner and empties what it made; its money stays on record. False: it is open, unknown or removed. */
export async function removeTask(db: Db, { task_id, user_id, now }: Removal): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const removed = await tx
      .updateTable('tasks')
      .set({ removed_at: now, prompt: '', prompt_en: '', description: '', image_url: '', media: toJsonb([]), data: null, callback_url: '' })
      .where('task_id', '=', task_id)
      .where('user_id', '=', user_id)
      .where('removed_at', '=', 0)
      .where('state', 'in', ENDED_TASK_STATES)
      .returning(['id', 'stored'])
      .executeTakeFirst()
    if (removed !== undefined && removed.stored.length > 0) await queueMediaCopy(tx, removed.id, now)
    return removed !== undefined
  })
}

/** The changes of the task that a request submitted, in order. */
export function listTaskChanges(db: Db, request_id: string): Promise<TaskChangeRow[]> {
  return db
    .selectFrom('task_changes as c')
    .innerJoin('tasks as t', 't.task_id', 'c.task_id')
    .selectAll('c')
    .where('t.request_id', '=', request_id)
    .orderBy('c.version')
    .execute()
}

export type OpenTaskCount = { readonly family: TaskFamily; readonly channel_id: number; readonly open: number; readonly lag_ms: number }

/** Open tasks by family and channel, with how long the longest due one waits. */
export async function countOpenTasks(db: Db, now: UnixMillis): Promise<OpenTaskCount[]> {
  const { rows } = await sql<OpenTaskCount>`
    select family, tasks.channel_id, count(*) as open, greatest(0, ${now} - min(next_poll_at)) as lag_ms
    from task_polls join tasks on tasks.id = task group by family, tasks.channel_id`.execute(db)
  return rows
}
