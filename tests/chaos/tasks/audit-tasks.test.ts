import { describe, expect, it } from 'vitest'
import type { InjectedFault } from '../fault-injector.ts'
import { auditTasks, type AuditedTask, type TaskRecord } from './audit-tasks.ts'
import { TASK_KINDS, taskIdOf, taskPrompt, taskScriptOf, type Course } from './task-script.ts'

const scripted = (course: Course): string => {
  const numbers = Array.from({ length: 500 }, (_, at) => taskIdOf(1, at))
  const found = numbers.find((id) => taskScriptOf(id).course === course && taskScriptOf(id).kind === 'midjourney')
  if (found === undefined) throw new Error(`no script ${course}`)
  return found
}
const PRICE = TASK_KINDS.midjourney.price
const [good, bad] = [scripted('success'), scripted('failure')]

const record = (id: string): TaskRecord => ({
  id,
  outcome: 'booked',
  task_id: 't',
  relay: 'relay-0',
  started_at: 1_000_000,
  ended_at: 1_000_100,
  seen: [],
  media_status: 0,
})
const delivered: AuditedTask = {
  task_id: 't',
  prompt: taskPrompt(good),
  state: 'success',
  is_posted: true,
  quota: PRICE,
  token_quota: PRICE,
  refunded: 0,
  ends: 1,
  entries: 0,
  credited: 0,
  granted: 0,
}
const failed: AuditedTask = {
  ...delivered,
  prompt: taskPrompt(bad),
  state: 'failure',
  refunded: PRICE,
  entries: 1,
  credited: PRICE,
  granted: PRICE,
}

const audit = (one: TaskRecord, tasks: readonly AuditedTask[], taken = 1, injected: readonly InjectedFault[] = []) =>
  auditTasks({ records: [one], tasks, accepted: new Map([[one.id, taken]]), injected })

describe('the audit of tasks', () => {
  it('finds what was charged and delivered', () => {
    expect(audit(record(good), [delivered])).toMatchObject({ charged: PRICE, delivered: PRICE, wrong: [] })
    expect(audit({ ...record(bad), seen: ['failure'] }, [failed])).toMatchObject({ charged: 0, delivered: 0, wrong: [] })
  })

  it('lets a vendor alone know a task only if its relay was killed', () => {
    const unanswered: TaskRecord = { ...record(good), outcome: 'unanswered', task_id: '' }
    const kill: InjectedFault = { kind: 'relay-kill', target: 'relay-0', from: 1_000_050, to: 1_001_000 }
    const find = (...injected: InjectedFault[]) => audit(unanswered, [], 1, injected)

    expect(find(kill)).toMatchObject({ unknown: 1, wrong: [] })
    expect(find({ ...kill, target: 'relay-1' }).wrong).toEqual([expect.stringContaining('known to its vendor only')])
    expect(find({ ...kill, from: 1_000_200 }).wrong).toHaveLength(1)
    expect(find()).toMatchObject({ unknown: 1, wrong: [expect.stringContaining('unanswered')] })
  })

  it('demands that a task of which the vendor said nothing costs nothing, unless it was delivered', () => {
    const numbers = Array.from({ length: 3000 }, (_, at) => taskIdOf(1, at))
    const isOne = ({ answer, course, kind }: ReturnType<typeof taskScriptOf>) =>
      answer === 'reset' && course === 'success' && kind === 'sora'
    const id = numbers.find((one) => isOne(taskScriptOf(one))) ?? ''
    const { price } = TASK_KINDS.sora
    const found: AuditedTask = { ...delivered, prompt: taskPrompt(id), quota: price, token_quota: price }
    const free: AuditedTask = { ...found, state: 'failure', quota: 0, token_quota: 0, ends: 0 }

    expect(audit(record(id), [found])).toMatchObject({ charged: price, delivered: price, wrong: [] })
    expect(audit({ ...record(id), outcome: 'refused', task_id: '' }, [free], 0).wrong).toEqual([])
    expect(audit(record(id), [{ ...found, state: 'failure' }], 0).wrong).toEqual([expect.stringContaining('unclear: charged')])
  })

  it('excuses a charge only if Redis and the relay lost it together', () => {
    const uncharged = { ...delivered, is_posted: false, quota: 0, token_quota: 0 }
    const swap: InjectedFault = { kind: 'redis-rollback', target: 'redis', from: 1_000_500, to: 1_004_000 }
    const kill: InjectedFault = { kind: 'relay-kill', target: 'relay-0', from: 1_000_700, to: 1_001_000 }
    const find = (...injected: InjectedFault[]) => audit(record(good), [uncharged], 1, injected)

    expect(find(swap, kill)).toMatchObject({ unrecoverable: 1, charged: 0, delivered: 0, wrong: [] })
    expect(find(swap, { ...kill, target: 'relay-1' })).toMatchObject({ unrecoverable: 0, wrong: [expect.stringContaining('charged 0')] })
    expect(find(kill).wrong).toHaveLength(1)
    expect(audit(record(good), [], 1, [swap, kill])).toMatchObject({ unrecoverable: 1, wrong: [] })
    expect(audit(record(good), [{ ...delivered, quota: 1 }], 1, [swap, kill]).wrong).toHaveLength(1)
  })

  it.each<[string, TaskRecord, AuditedTask[], number?]>([
    ['lost', record(good), []],
    ['open', record(good), [{ ...delivered, state: 'in_progress', ends: 0 }]],
    ['2 ends', record(good), [{ ...delivered, ends: 2 }]],
    ['must not end as success', record(bad), [{ ...delivered, prompt: taskPrompt(bad) }]],
    ['charged 0, the price', record(good), [{ ...delivered, is_posted: false, quota: 0 }]],
    ['gave back 0, booked 0, due', record(bad), [{ ...failed, refunded: 0, entries: 0, credited: 0 }]],
    ['gave back', record(bad), [{ ...failed, entries: 2, credited: 2 * PRICE }]],
    ['granted 0 to the token', record(bad), [{ ...failed, granted: 0 }]],
    ['charged although refused', { ...record(good), outcome: 'refused' }, [delivered]],
    ['another id', { ...record(good), task_id: 'u' }, [delivered]],
    ['the client read failure', { ...record(good), seen: ['failure'] }, [delivered]],
    ['sent 2 times', record(good), [delivered], 2],
    ['charged without a vendor', record(good), [delivered], 0],
    ['two tasks', record(good), [delivered, delivered]],
  ])('reports %s', (finding, one, tasks, taken) => {
    expect(audit(one, tasks, taken).wrong).toEqual([expect.stringContaining(finding)])
  })

  it('reports a task that no client submitted', () => {
    const { wrong } = auditTasks({ records: [], tasks: [delivered], accepted: new Map(), injected: [] })

    expect(wrong).toEqual([expect.stringContaining('no submission explains t')])
  })
})
