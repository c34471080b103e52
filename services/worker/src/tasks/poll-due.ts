import { setTimeout as wait } from 'node:timers/promises'
import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import { claimDueTasks, postponeTasks, type DueTask } from '@tollgate/db/queries/tasks/tasks'
import { nextPollAt, pollTimes, type PollTimes } from '@tollgate/domain/tasks/next-poll'
import { OutboundError } from '@tollgate/outbound/errors'
import { openStream, type StreamRequest } from '@tollgate/outbound/open-stream'
import { parseJson } from '@tollgate/providers/json'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { TaskCall, TaskFamilyCodec, TaskReport } from '@tollgate/providers/tasks/task-family'
import { readWithoutMember } from '@tollgate/upstream/member-bytes'
import { addressOf, requireTaskCall, type TaskChannel } from '@tollgate/upstream/task-call'
import type { Deps } from '../deps.ts'
import { adoptTask, applyToTask, patchOf, type Applied } from './apply-report.ts'
import { isLost, searchLost } from './find-lost.ts'
import { awaitsCharge, priceAtEnd } from './price-at-end.ts'
import { findTaskChannel } from './task-channel.ts'
import { findUnreadEnd } from './unread-state.ts'

export type PollDeps = Pick<Deps, 'db' | 'redis' | 'channelKeys' | 'outbound' | 'signer' | 'mediaStore' | 'now'> & {
  readonly env: Pick<Deps['env'], 'TASK_POLL_INTERVAL'>
  readonly log: Pick<Deps['log'], 'warn'>
  readonly observer: Pick<Deps['observer'], 'tasksPolled'>
}
export type PollResult = { polled: number; changed: number; ended: number; failed: number }

const CLAIM = 2000
const MAX_CHANNELS_AT_ONCE = 64
/** A claim takes what became due meanwhile in every channel that is free, so claims are few and large. */
const BETWEEN_CLAIMS_MS = 200
/** The next run of the job takes what is due later, so that a stop is never far. */
const MAX_MS = 30_000
const MAX_ANSWER = 32 * 1024 * 1024
/** An answer with the bytes of a video. */
const MAX_RESULT = 1024 ** 3
const RESULT_MS = 120_000

/**
 * Takes what is due until nothing is left. Channels are asked side by side, and one that is being asked is left out of further claims, so
 * a vendor that answers slowly delays its own tasks only.
 */
export async function pollDueTasks(deps: PollDeps, signal: AbortSignal): Promise<PollResult> {
  const total: PollResult = { polled: 0, changed: 0, ended: 0, failed: 0 }
  const busy = new Map<number, Promise<void>>()
  const failures: unknown[] = []
  const last = deps.now() + MAX_MS
  for (;;) {
    const isOver = signal.aborted || failures.length > 0 || deps.now() >= last
    const hasRoom = !isOver && busy.size < MAX_CHANNELS_AT_ONCE
    const due = hasRoom ? await claim(deps, [...busy.keys()]).catch((error: unknown) => keep(failures, error)) : []
    for (const [channel_id, rows] of Map.groupBy(due, (row) => row.channel_id)) {
      const polling = pollRows(deps, rows, total, signal)
        .catch((error: unknown) => void keep(failures, error))
        .finally(() => busy.delete(channel_id))
      busy.set(channel_id, polling)
    }
    if (busy.size > 0) await Promise.race([Promise.all(busy.values()), wait(BETWEEN_CLAIMS_MS)])
    else if (failures.length > 0) throw failures[0]
    else if (due.length === 0) return total
  }
}

function keep(failures: unknown[], error: unknown): DueTask[] {
  failures.push(error)
  return []
}

const claim = (deps: PollDeps, busy: readonly number[]): Promise<DueTask[]> =>
  claimDueTasks(deps.db, { now: deps.now(), lease_ms: timesOf(deps).lease_ms, limit: CLAIM, busy })

/** Keys of a channel are asked one after the other. */
async function pollRows(deps: PollDeps, rows: readonly DueTask[], total: PollResult, signal: AbortSignal): Promise<void> {
  for (const same of Map.groupBy(rows, keyOf).values()) await pollChannel(deps, same, total, signal)
}

const timesOf = ({ env }: Pick<PollDeps, 'env'>): PollTimes => pollTimes(env.TASK_POLL_INTERVAL)

const keyOf = ({ family, channel_key }: DueTask): string => `${family} ${channel_key}`

async function pollChannel(deps: PollDeps, rows: readonly DueTask[], total: PollResult, signal: AbortSignal): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const { channel_id, family } = first
  const channel = await findTaskChannel(deps, channel_id, first.channel_key)
  const codec = channel === undefined ? undefined : findTaskFamily(family, channel.type)
  const hasAddress = channel !== undefined && (codec?.urlFor !== undefined || URL.canParse(addressOf(channel)))
  if (channel === undefined || codec === undefined || !hasAddress) {
    const fail_reason = TASK_FAILURES.channelGone(channel_id)
    for (const row of rows) count(total, await fail(deps, row, fail_reason))
    return
  }
  const { lost: listing } = codec
  const lost = listing === undefined ? [] : rows.filter(isLost)
  const known = listing === undefined ? rows : rows.filter((row) => !isLost(row))
  const looking: Looking = { now: deps.now(), listed: new Map() }
  for (const row of lost) await findLost(deps, { channel, codec, batch: [row], signal }, looking, total)
  const step = codec.batch * codec.at_once
  for (let at = 0; at < known.length; at += step) {
    if (signal.aborted) return
    const batches = Array.from({ length: codec.at_once }, (_, nth) =>
      known.slice(at, at + step).slice(nth * codec.batch, (nth + 1) * codec.batch),
    )
    const asked = batches.filter((batch) => batch.length > 0).map((batch) => pollBatch(deps, { channel, codec, batch, signal }, total))
    // A vendor that fails is left alone until the next run.
    if ((await Promise.all(asked)).includes(false)) return await postpone(deps, known.slice(at + step), true)
  }
}

/** Lists that a vendor gave in this run, by their call: one answer serves all lost tasks, and a vendor that fails is asked once. */
type Listed = Map<TaskCall, Promise<VendorAnswer>>
/** `now` is no later than the time of the lists. */
type Looking = { readonly now: number; readonly listed: Listed }

/** Looks for a task whose submission had no answer in its vendor's lists: it goes on, ends free of charge, or is looked for later. */
async function findLost(deps: PollDeps, question: Question, { now, listed }: Looking, total: PollResult): Promise<void> {
  const [row] = question.batch
  const { lost } = question.codec
  if (row === undefined || lost === undefined) return
  const ask = async (call: TaskCall) => {
    const list = listed.get(call) ?? askVendor(deps, question, call)
    listed.set(call, list)
    return readReports(deps, question, await list, (body) => lost.read(body, row, call))
  }
  const search = await searchLost({ row, now, calls: lost.calls, ask })
  total.polled += 1
  const shared = { source: 'poll', times: timesOf(deps), now, isStored: deps.mediaStore !== undefined } as const
  const adopted = search.kind === 'found' ? await adoptTask(deps.db, { ...shared, row, reports: search.reports }) : 'taken'
  if (adopted !== 'taken') return count(total, adopted)
  if (search.kind === 'ended') return count(total, await fail(deps, row, search.fail_reason))
  if (now >= row.deadline) return count(total, await expire(deps, row, question.codec))
  await postpone(deps, [row], search.kind === 'unclear' && search.hasFailed)
}

/** Asks about a batch and applies the answer; false: there was none. */
async function pollBatch(deps: PollDeps, question: Question, total: PollResult): Promise<boolean> {
  const { channel, codec, batch } = question
  const count = batch.length
  const reports = await ask(deps, question)
  const isFailed = reports === undefined
  deps.observer.tasksPolled({ family: codec.family, channel_id: channel.id, count, isFailed })
  total.polled += count
  if (isFailed) total.failed += count
  await apply(deps, { codec, batch, reports, total })
  return !isFailed
}

type Question = {
  readonly channel: TaskChannel
  readonly codec: TaskFamilyCodec
  readonly batch: readonly DueTask[]
  readonly signal: AbortSignal
}

/** The vendor's reports; undefined: it could not be asked, or its answer cannot be read. */
async function ask(deps: PollDeps, question: Question): Promise<readonly TaskReport[] | undefined> {
  const { codec, batch } = question
  const ids = [...new Set(batch.map((row) => row.vendor_task_id))]
  return readReports(deps, question, await askVendor(deps, question, codec.poll(ids)), (body) => codec.readReports(body, ids))
}

/** A vendor's answer; 'missing': it does not know what was asked for; undefined: it could not be asked. */
type VendorAnswer = { readonly body: unknown } | 'missing' | undefined

function readReports(
  deps: PollDeps,
  question: Question,
  answer: VendorAnswer,
  read: (body: unknown) => readonly TaskReport[] | undefined,
): readonly TaskReport[] | undefined {
  if (answer === undefined) return undefined
  return answer === 'missing' ? [] : (read(answer.body) ?? warnOf(deps, question, { status: 200 }))
}

function warnOf(deps: PollDeps, { channel, batch }: Question, reason: object): undefined {
  deps.log.warn({ channel_id: channel.id, count: batch.length, ...reason }, 'A vendor could not be asked about tasks')
  return undefined
}

async function askVendor(deps: PollDeps, question: Question, call: TaskCall): Promise<VendorAnswer> {
  const { channel, codec, signal } = question
  try {
    const { headers, ...request } = await requireTaskCall({ channel, codec, call }, { signer: deps.signer, now: deps.now() })
    const sent = { ...request, headers: { 'content-type': 'application/json', accept: 'application/json', ...headers } }
    const answer = await readAnswer(deps, { sent, codec, signal })
    // One forgotten task does not keep the vendor's others waiting.
    if (answer.status === 404 && codec.batch === 1) return 'missing'
    if (answer.status !== 200) return warnOf(deps, question, { status: answer.status })
    return { body: parseJson(answer.text) }
  } catch (err) {
    if (!(err instanceof OutboundError)) throw err
    return warnOf(deps, question, { failure: err.failure })
  }
}

type Asking = { readonly sent: StreamRequest; readonly codec: TaskFamilyCodec; readonly signal: AbortSignal }

/** The text of an answer; results that it carries as base64 are left out and may be longer than any other answer. */
async function readAnswer(deps: PollDeps, { sent, codec, signal }: Asking): Promise<{ readonly status: number; readonly text: string }> {
  const timeoutMs = timesOf(deps).question_ms
  if (codec.bytesIn === undefined) {
    const { status, body } = await deps.outbound.request({ ...sent, timeoutMs, maxBytes: MAX_ANSWER, signal })
    return { status, text: body.toString('utf8') }
  }
  const limits = { maxBytes: MAX_RESULT, headTimeoutMs: timeoutMs, idleMs: timeoutMs, timeoutMs: RESULT_MS }
  const { status, body } = await openStream(deps.outbound, sent, limits)
  const stop = (): unknown => body.destroy(new OutboundError('aborted', 'the worker stops'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    return { status, text: await readWithoutMember(body, codec.bytesIn, MAX_ANSWER) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

type Answered = {
  readonly codec: TaskFamilyCodec
  readonly batch: readonly DueTask[]
  readonly reports: readonly TaskReport[] | undefined
  readonly total: PollResult
}

async function apply(deps: PollDeps, { codec, batch, reports = [], total }: Answered): Promise<void> {
  const byId = new Map(reports.map((report) => [report.vendor_task_id, report]))
  const unchanged: DueTask[] = []
  for (const row of batch) {
    const report = byId.get(row.vendor_task_id)
    const applied = report === undefined ? 'unchanged' : await applyReport(deps, row, report)
    count(total, applied)
    if (applied === 'ended') continue
    const unread = report === undefined ? undefined : await findUnreadEnd(deps, row, report)
    if (unread !== undefined) count(total, await fail(deps, row, unread))
    else if (deps.now() >= row.deadline) count(total, await expire(deps, row, codec))
    else if (applied === 'unchanged') unchanged.push(row)
  }
  await postpone(deps, unchanged, reports.length === 0)
}

async function applyReport(deps: PollDeps, row: DueTask, report: TaskReport): Promise<Applied> {
  const patch = patchOf(row, report)
  if (report.state === row.state && Object.keys(patch).length === 0) return 'unchanged'
  if (awaitsCharge(row, report, deps.now())) return 'unchanged'
  const quota = priceAtEnd(row, report)
  return await applyToTask(deps.db, {
    id: row.id,
    event: { kind: 'reported', state: report.state, ...(quota === undefined ? {} : { quota }) },
    patch,
    source: 'poll',
    times: timesOf(deps),
    now: deps.now(),
    isStored: deps.mediaStore !== undefined,
  })
}

const fail = (deps: PollDeps, { id }: DueTask, fail_reason: string): Promise<Applied> =>
  end(deps, id, { kind: 'reported', state: 'failure' }, { status: 'FAILURE', fail_reason })

const HOUR_MS = 3_600_000

function expire(deps: PollDeps, { id, deadline, submit_time }: DueTask, codec: TaskFamilyCodec): Promise<Applied> {
  const hours = Math.round((deadline - submit_time) / HOUR_MS)
  const fail_reason = hours > 1 ? TASK_FAILURES.expiredAfter(hours) : codec.deadline_reason
  return end(deps, id, { kind: 'deadline' }, { status: 'FAILURE', fail_reason })
}

type Ending = Parameters<typeof applyToTask>[1]

const end = (deps: PollDeps, id: number, event: Ending['event'], patch: Ending['patch']): Promise<Applied> =>
  applyToTask(deps.db, { id, event, patch, source: event.kind === 'deadline' ? 'deadline' : 'poll', times: timesOf(deps), now: deps.now() })

/** One statement for each distinct time: tasks of a batch are mostly of one age. */
async function postpone(deps: PollDeps, rows: readonly DueTask[], failed: boolean): Promise<void> {
  const now = deps.now()
  const times = timesOf(deps)
  const groups = Map.groupBy(rows, (row) => nextPollAt(row, { times, now, hasFailed: failed }))
  for (const [next_poll_at, group] of groups) {
    const ids = group.map((row) => row.id)
    await postponeTasks(deps.db, ids, { next_poll_at, failed, now })
  }
}

function count(total: PollResult, applied: Applied): void {
  if (applied !== 'unchanged') total.changed += 1
  if (applied === 'ended') total.ended += 1
}
