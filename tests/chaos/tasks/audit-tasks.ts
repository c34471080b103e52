import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'
import type { InjectedFault } from '../fault-injector.ts'
import { POSTGRES_SWAPS } from '../swaps.ts'
import { isUnrecoverable, wasKilled } from '../unrecoverable.ts'
import { ENDS, ID_IN_TASK, TASK_KINDS, taskScriptOf, UNCLEAR, type End } from './task-script.ts'

/** A submission as its client saw it. */
export type TaskRecord = {
  /** Id of the task in the script. */
  readonly id: string
  readonly outcome: 'booked' | 'refused' | 'unanswered'
  /** Our id; empty unless booked. */
  readonly task_id: string
  /** Which relay was asked, and when; Unix milliseconds. */
  readonly relay: string
  readonly started_at: number
  readonly ended_at: number
  /** Ends that the client read, in order. */
  readonly seen: ('success' | 'failure')[]
  /** A status with which expired media were answered. */
  media_status: number
}

/** A task as Postgres has it, with what was booked for it. */
export type AuditedTask = {
  readonly task_id: string
  readonly prompt: string
  readonly state: string
  readonly is_posted: boolean
  readonly quota: number
  readonly token_quota: number
  readonly refunded: number
  /** Changes that ended it. */
  readonly ends: number
  readonly entries: number
  readonly credited: number
  readonly granted: number
}

export async function readAuditedTasks(db: Db): Promise<AuditedTask[]> {
  const { rows } = await sql<AuditedTask>`
    with ends as (
      select task_id, count(*) as ends from task_changes
      where state in ('success', 'failure', 'expired') and source in ('poll', 'webhook', 'deadline') group by task_id
    ), entries as (
      select split_part(reference, ':', 2) as task_id, count(*) as entries, sum(amount)::bigint as credited
      from wallet_entries where kind = 'refund' and reference like 'task:%' group by 1
    ), grants as (
      select split_part(reference, ':', 2) as task_id, sum(amount)::bigint as granted
      from token_grants where kind = 'refund' and reference like 'task:%' group by 1
    )
    select t.task_id, t.prompt, t.state, t.is_posted, t.quota, t.token_quota, t.refunded, coalesce(e.ends, 0) as ends,
      coalesce(w.entries, 0) as entries, coalesce(w.credited, 0) as credited, coalesce(g.granted, 0) as granted
    from tasks t left join ends e using (task_id) left join entries w using (task_id) left join grants g using (task_id)`.execute(db)
  return rows
}

export type TaskAudit = {
  /** Number of tasks by outcome, and by state. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly states: ReadonlyMap<string, number>
  readonly charged: number
  readonly delivered: number
  /** Taken by a vendor without a task in the gateway's books: neither charged nor answered. Only the death of its relay explains it. */
  readonly unknown: number
  /** Answered, but two faults at once lost the charge. */
  readonly unrecoverable: number
  readonly wrong: readonly string[]
}

type Input = {
  readonly records: readonly TaskRecord[]
  readonly tasks: readonly AuditedTask[]
  readonly accepted: ReadonlyMap<string, number>
  readonly injected: readonly InjectedFault[]
}

/** Joins what clients read, what vendors took and what was booked. */
export function auditTasks({ records, tasks, accepted, injected }: Input): TaskAudit {
  const wrong: string[] = []
  const outcomes = new Map<string, number>()
  const states = new Map<string, number>()
  const byScript = Map.groupBy(tasks, ({ prompt }) => ID_IN_TASK.exec(prompt)?.[1] ?? '')
  // Postgres came back older: a client may have read an end that was decided again.
  const wasRolledBack = injected.some(({ kind }) => POSTGRES_SWAPS.includes(kind))
  let [charged, delivered, unknown, unrecoverable] = [0, 0, 0, 0]
  for (const record of records) {
    add(outcomes, record.outcome)
    const [task, second] = byScript.get(record.id) ?? []
    const taken = accepted.get(record.id) ?? 0
    byScript.delete(record.id)
    const isUnknown = taken > 0 && task === undefined
    if (isUnknown) unknown += 1
    if (second === undefined && taken === 1 && isChargeLost(record, task, injected)) {
      unrecoverable += 1
      continue
    }
    const found = [
      taken > 1 ? `sent ${taken} times` : '',
      second === undefined ? '' : 'two tasks',
      isUnknown && record.outcome !== 'booked' && !wasKilled(record, injected) ? 'known to its vendor only, though its relay lived' : '',
      ...(task === undefined ? [record.outcome === 'booked' ? 'lost' : ''] : wrongOf(record, { task, taken, wasRolledBack })),
    ].filter((text) => text !== '')
    if (found.length > 0) wrong.push(`${record.id}: ${found.join(', ')} · ${describe(record, task)}`)
    if (task === undefined) continue
    add(states, task.state)
    charged += task.quota - task.refunded
    if (task.state === 'success') delivered += priceOf(record.id)
  }
  for (const task of [...byScript.values()].flat()) wrong.push(`no submission explains ${task.task_id} (${task.prompt})`)
  return { outcomes, states, charged, delivered, unknown, unrecoverable, wrong }
}

const isChargeLost = (record: TaskRecord, task: AuditedTask | undefined, injected: readonly InjectedFault[]): boolean =>
  (task === undefined ? record.outcome === 'booked' : !task.is_posted) && isUnrecoverable(record, injected)

const priceOf = (id: string): number => TASK_KINDS[taskScriptOf(id).kind].price

const isEnd = (state: string): state is End => state === 'success' || state === 'failure' || state === 'expired'

type Audited = { readonly task: AuditedTask; readonly taken: number; readonly wasRolledBack: boolean }

function wrongOf(record: TaskRecord, { task, taken, wasRolledBack }: Audited): string[] {
  if (UNCLEAR.has(taskScriptOf(record.id).answer) && (taken === 0 || task.state !== 'success')) return findWrongUnclear(task)
  return [...findWrong(record, task, wasRolledBack), taken > 0 ? '' : 'charged without a vendor']
}

/** The vendor did not say whether it took the task: it costs nothing unless it was found and delivered. */
function findWrongUnclear({ state, quota, refunded, credited, is_posted }: AuditedTask): string[] {
  return [
    isEnd(state) && state !== 'success' ? '' : `unclear, but ${state}`,
    is_posted && quota === refunded && credited === refunded ? '' : `unclear: charged ${quota}, gave back ${refunded}, booked ${credited}`,
  ]
}

function findWrong(record: TaskRecord, task: AuditedTask, wasRolledBack: boolean): string[] {
  const { course } = taskScriptOf(record.id)
  const { state, quota, refunded, credited, granted, token_quota } = task
  const price = priceOf(record.id)
  const due = state === 'success' ? 0 : price
  const read: string = state === 'success' ? 'success' : 'failure'
  return [
    isEnd(state) ? '' : 'open',
    isEnd(state) && !ENDS[course].includes(state) ? `must not end as ${state}` : '',
    task.ends === 1 ? '' : `${task.ends} ends`,
    task.is_posted && quota === price ? '' : `charged ${quota}, the price is ${price}`,
    refunded === due && credited === due && task.entries === (due > 0 ? 1 : 0)
      ? ''
      : `gave back ${refunded}, booked ${credited}, due ${due}`,
    granted === Math.min(due, token_quota) ? '' : `granted ${granted} to the token, charged ${token_quota}`,
    record.outcome === 'refused' ? 'charged although refused' : '',
    record.outcome === 'booked' && record.task_id !== task.task_id ? 'another id' : '',
    !wasRolledBack && record.seen.some((end) => end !== read) ? `the client read ${record.seen.join(', ')}` : '',
    course === 'expired-media' && record.media_status === 200 ? 'expired media were answered' : '',
  ].filter((text) => text !== '')
}

const describe = ({ outcome, task_id }: TaskRecord, task: AuditedTask | undefined): string =>
  `${outcome} ${task_id} ${task === undefined ? 'no task' : JSON.stringify(task)}`

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
