import { describe, expect, it } from 'vitest'
import { ENDED_TASK_STATES, OPEN_TASK_STATES, TASK_STATES, isEndedTask, type TaskState } from '@tollgate/contracts/tasks/tasks'
import { applyTaskEvent, refundOf, type TaskEvent, type TaskFacts } from './transition.ts'

const taskIn = (state: TaskState): TaskFacts => ({ task_id: 'T', state, quota: 50_000, refunded: 0 })
const reported = (state: TaskState): TaskEvent => ({ kind: 'reported', state })

describe('the transitions of a task', () => {
  it('follows this table', () => {
    const table = Object.fromEntries(
      TASK_STATES.map((from) => [
        from,
        TASK_STATES.filter((to) => applyTaskEvent(taskIn(from), reported(to)).kind === 'changed').join(' '),
      ]),
    )

    expect(table).toEqual({
      not_started: 'not_started submitted queued in_progress unknown success failure expired',
      unknown: 'not_started submitted queued in_progress unknown success failure expired',
      submitted: 'submitted queued in_progress success failure expired',
      queued: 'queued in_progress success failure expired',
      in_progress: 'in_progress success failure expired',
      success: '',
      failure: '',
      expired: '',
    })
  })

  it.each(OPEN_TASK_STATES)('gives back everything once when a task that is %s fails or expires', (state) => {
    expect(applyTaskEvent(taskIn(state), reported('failure'))).toEqual({
      kind: 'changed',
      state: 'failure',
      refund: { amount: 50_000, reference: 'task:T:failure' },
    })
    expect(applyTaskEvent(taskIn(state), { kind: 'deadline' })).toEqual({
      kind: 'changed',
      state: 'expired',
      refund: { amount: 50_000, reference: 'task:T:expired' },
    })
  })

  it.each(ENDED_TASK_STATES)('changes nothing after %s', (state) => {
    for (const event of [...TASK_STATES.map(reported), { kind: 'deadline' } as const])
      expect(applyTaskEvent(taskIn(state), event)).toEqual({ kind: 'ignored' })
  })

  it.each<[string, number | undefined, number | undefined]>([
    ['keeps the quoted price', undefined, undefined],
    ['gives back what a cheaper end did not cost', 20_000, 30_000],
    ['gives back all of a free end', 0, 50_000],
    ['never charges more than was quoted', 70_000, undefined],
  ])('%s', (_what, quota, amount) => {
    const transition = applyTaskEvent(taskIn('in_progress'), {
      kind: 'reported',
      state: 'success',
      ...(quota === undefined ? {} : { quota }),
    })

    expect(transition).toEqual({ kind: 'changed', state: 'success', refund: amount && { amount, reference: 'task:T:success' } })
  })

  it('has one end and one sum in every order of up to four events', () => {
    const events = [...TASK_STATES.map(reported), { kind: 'deadline' } as const]
    const sequences = (length: number): TaskEvent[][] =>
      length === 0 ? [[]] : sequences(length - 1).flatMap((head) => events.map((event) => [...head, event]))
    for (const sequence of sequences(4)) {
      let task = taskIn('submitted')
      let ends = 0
      for (const event of sequence) {
        const next = applyTaskEvent(task, event)
        if (next.kind === 'ignored') continue
        if (isEndedTask(next.state)) ends += 1
        task = { ...task, state: next.state, refunded: task.refunded + (next.refund?.amount ?? 0) }
      }
      expect(ends).toBe(isEndedTask(task.state) ? 1 : 0)
      expect(task.refunded).toBe(task.state === 'failure' || task.state === 'expired' ? 50_000 : 0)
    }
  })

  it('owes the refund of a task that failed before its charge was known', () => {
    expect(refundOf({ ...taskIn('failure'), quota: 0 })).toBeUndefined()
    expect(refundOf(taskIn('failure'))).toEqual({ amount: 50_000, reference: 'task:T:failure' })
    expect(refundOf({ ...taskIn('failure'), refunded: 50_000 })).toBeUndefined()
  })
})
