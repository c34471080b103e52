import { RunResult, RunState, type ChannelRun, type RunKind } from '@tollgate/contracts/channels/channel-runs'
import type { TestCapability } from '@tollgate/contracts/channels/channel-tests'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Redis } from 'ioredis'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'

export type NewRun = {
  readonly id: string
  readonly kind: RunKind
  readonly capability: TestCapability
  readonly total: number
  readonly now: UnixSeconds
}
type RunName = Pick<NewRun, 'id' | 'kind'>

/** A run whose worker has ended is picked up by the queue within a minute; after this time another one may start. */
const LOCK_MS = 120_000
const KEPT_S = 7 * 86_400

/** Starts a run of a kind; false while another one is under way. */
export async function startChannelRun(redis: Redis, { id, kind, capability, total, now }: NewRun): Promise<boolean> {
  if ((await redis.set(keys.channelRunLock(kind), id, 'PX', LOCK_MS, 'NX')) === null) return false
  await execAll(
    redis
      .multi()
      .del(keys.channelRunResults(kind), keys.channelRun(kind))
      .hset(keys.channelRun(kind), { id, kind, capability, total, started_at: now, finished_at: 0, is_cancelled: 0 })
      .expire(keys.channelRun(kind), KEPT_S),
  )
  return true
}

/** The latest run of a kind, with the results from an index on. */
export async function readChannelRun(redis: Redis, kind: RunKind, from = 0): Promise<ChannelRun | undefined> {
  const [fields, done, texts] = await Promise.all([
    redis.hgetall(keys.channelRun(kind)),
    redis.llen(keys.channelRunResults(kind)),
    redis.lrange(keys.channelRunResults(kind), from, -1),
  ])
  const state = RunState.safeParse({
    ...fields,
    done,
    total: Math.max(done, Number(fields['total'])),
    started_at: Number(fields['started_at']),
    finished_at: Number(fields['finished_at']),
    is_cancelled: fields['is_cancelled'] === '1',
  }).data
  if (state === undefined) return undefined
  const results = texts.flatMap((text) => RunResult.safeParse(JSON.parse(text)).data ?? [])
  return { ...state, results }
}

/** Marks the run as cancelled; the worker sees it within a second. False when none is under way. */
export async function cancelChannelRun(redis: Redis, kind: RunKind): Promise<boolean> {
  if ((await redis.get(keys.channelRunLock(kind))) === null) return false
  await redis.hset(keys.channelRun(kind), 'is_cancelled', 1)
  return true
}

/** Keeps the run's lock, and tells whether the run goes on: it was not cancelled or replaced. */
export async function continueChannelRun(redis: Redis, { id, kind }: RunName): Promise<boolean> {
  const [current, cancelled] = await redis.hmget(keys.channelRun(kind), 'id', 'is_cancelled')
  if (current !== id || cancelled === '1') return false
  await redis.set(keys.channelRunLock(kind), id, 'PX', LOCK_MS)
  return true
}

export async function addRunResult(redis: Redis, kind: RunKind, result: RunResult): Promise<void> {
  await execAll(redis.multi().rpush(keys.channelRunResults(kind), JSON.stringify(result)).expire(keys.channelRunResults(kind), KEPT_S))
}

export async function setRunTotal(redis: Redis, kind: RunKind, total: number): Promise<void> {
  await redis.hset(keys.channelRun(kind), 'total', total)
}

export async function finishChannelRun(redis: Redis, { id, kind }: RunName, now: UnixSeconds): Promise<void> {
  if ((await redis.hget(keys.channelRun(kind), 'id')) !== id) return
  await execAll(redis.multi().hset(keys.channelRun(kind), 'finished_at', now).del(keys.channelRunLock(kind)))
}
