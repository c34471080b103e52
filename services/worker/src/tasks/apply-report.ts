import { isDeepStrictEqual } from 'node:util'
import { isEndedTask, type TaskChangeSource } from '@tollgate/contracts/tasks/tasks'
import type { Db, Tx } from '@tollgate/db/connect'
import { freeVendorIds, lockTask, updateTask, type TaskPatch, type TaskRow } from '@tollgate/db/queries/tasks/tasks'
import { queueMediaCopy } from '@tollgate/db/queries/tasks/media-copies'
import { nextPollAt, type PollTimes } from '@tollgate/domain/tasks/next-poll'
import { applyTaskEvent, type TaskEvent } from '@tollgate/domain/tasks/transition'
import type { TaskReport } from '@tollgate/providers/tasks/task-family'
import { queueTaskCallback } from './task-callback.ts'
import { refundTask } from '../posting/refund-task.ts'

export type Applied = 'unchanged' | 'changed' | 'ended'

type Input = {
  readonly id: number
  readonly event: TaskEvent
  readonly patch: TaskPatch
  readonly source: TaskChangeSource
  readonly times: PollTimes
  readonly now: number
  /** A media store keeps finished videos. */
  readonly isStored?: boolean
}

/** Applies an event to a task under its lock: state, texts, refund and the client's callback in one transaction. */
export function applyToTask(db: Db, input: Input): Promise<Applied> {
  return db.transaction().execute((tx) => applyInTransaction(tx, input))
}

type Adoption = Omit<Input, 'id' | 'event' | 'patch'> & { readonly row: TaskRow; readonly reports: readonly TaskReport[] }

/** Gives a task whose submission had no answer the first of these that no other task has; 'taken': all are others'. */
export function adoptTask(db: Db, { row, reports, ...input }: Adoption): Promise<Applied | 'taken'> {
  return db.transaction().execute(async (tx) => {
    const ids = reports.map(({ vendor_task_id }) => vendor_task_id)
    const free = await freeVendorIds(tx, row.channel_id, ids)
    const report = reports.find(({ vendor_task_id }) => free.includes(vendor_task_id))
    if (report === undefined) return 'taken'
    const { state, vendor_task_id } = report
    return applyInTransaction(tx, {
      ...input,
      id: row.id,
      event: { kind: 'reported', state },
      patch: { ...patchOf(row, report), vendor_task_id },
    })
  })
}

async function applyInTransaction(tx: Tx, { id, event, patch, source, times, now, isStored }: Input): Promise<Applied> {
  const row = await lockTask(tx, id)
  if (row === undefined) return 'unchanged'
  const transition = applyTaskEvent(row, event)
  if (transition.kind === 'ignored') return 'unchanged'
  const { state, refund } = transition
  const isEnded = isEndedTask(state)
  const next: TaskPatch = { ...patch, state, ...(isEnded ? endOf(row, patch, now) : {}) }
  const next_poll_at = nextPollAt({ ...row, poll_failures: 0 }, { times, now, hasFailed: false })
  if (refund === undefined) await updateTask(tx, { row, patch: next, refund: 0, source, next_poll_at, now })
  else await refundTask(tx, { row, refund, source, patch: next, now })
  if (isStored && state === 'success' && row.family === 'video') await queueMediaCopy(tx, id, now)
  if (row.callback_url !== '') await queueTaskCallback(tx, { row, now })
  return isEnded ? 'ended' : 'changed'
}

const endOf = (row: TaskRow, { finish_time = 0 }: TaskPatch, now: number): TaskPatch => ({
  progress: '100%',
  finish_time: finish_time > 0 ? finish_time : row.finish_time > 0 ? row.finish_time : now,
})

/** The fields of a report that differ from the row; texts that a vendor leaves empty are kept. */
export function patchOf(
  row: TaskRow,
  { vendor_task_id: _id, state: _state, unread: _unread, seconds: _seconds, tokens: _tokens, ...report }: TaskReport,
): TaskPatch {
  const texts = { ...report, status: report.status === '' ? row.status : report.status }
  return Object.fromEntries(
    Object.entries(texts).filter(([name, value]) => {
      if (value === undefined || value === '' || value === 0) return false
      const known: unknown = Reflect.get(row, name)
      // jsonb keeps no order of keys.
      return !isDeepStrictEqual(known, value)
    }),
  )
}
