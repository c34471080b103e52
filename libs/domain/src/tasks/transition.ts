import { isEndedTask, type TaskState } from '@tollgate/contracts/tasks/tasks'
import type { Quota } from '@tollgate/contracts/units'

/** Facts that decide about a task's next state and its money. */
export type TaskFacts = {
  readonly task_id: string
  readonly state: TaskState
  /** Charge at submission; 0 until the usage event is in Postgres. */
  readonly quota: Quota
  readonly refunded: Quota
}

/** Event of a task: a poll, a call of the vendor, or the clock. */
export type TaskEvent =
  | { readonly kind: 'reported'; readonly state: TaskState; /** The price, if it is only known at the end. */ readonly quota?: Quota }
  | { readonly kind: 'deadline' }

/** A correction in favour of the user; booked once per reference. */
export type TaskRefund = { readonly amount: Quota; readonly reference: string }

export type TaskTransition =
  /** The event is older than what is known, or arrives after the end. */
  { readonly kind: 'ignored' } | { readonly kind: 'changed'; readonly state: TaskState; readonly refund: TaskRefund | undefined }

const RANKS = { not_started: 0, unknown: 0, submitted: 1, queued: 2, in_progress: 3, success: 4, failure: 4, expired: 4 } as const

/**
 * The next state of a task. The first end wins: a success after a failure changes neither state nor money. A report that is behind what
 * is known, as from a poll that a call of the vendor overtook, is ignored; one with the same state may carry new progress.
 */
export function applyTaskEvent(task: TaskFacts, event: TaskEvent): TaskTransition {
  if (isEndedTask(task.state)) return { kind: 'ignored' }
  const state = event.kind === 'deadline' ? 'expired' : event.state
  if (RANKS[state] < RANKS[task.state]) return { kind: 'ignored' }
  const price = event.kind === 'reported' ? event.quota : undefined
  return { kind: 'changed', state, refund: refundOf({ ...task, state }, price) }
}

/** Refund that a task in this state still owes: all after a failure or expiry, the difference after a cheaper success. */
export function refundOf({ task_id, state, quota, refunded }: TaskFacts, price?: Quota): TaskRefund | undefined {
  if (!isEndedTask(state)) return undefined
  const owed = state === 'success' ? Math.max(0, quota - (price ?? quota)) : quota
  const amount = owed - refunded
  return amount > 0 ? { amount, reference: `task:${task_id}:${state}` } : undefined
}
