import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '@tollgate/db/connect'
import { listPostingCursors } from '@tollgate/db/queries/ledger/posting'
import type { Redis } from '@tollgate/redis/connect'
import { allShards } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import type { Ledger } from '@tollgate/ledger/client/types'
import { benchEvent, HELD } from './bench-events.ts'

type Load = {
  readonly db: Db
  readonly redis: Redis
  readonly ledger: Ledger
  readonly shards: number
  readonly ids: readonly number[]
}

export type Written = {
  readonly written: number
  readonly seconds: number
  /** Unposted events, read every second during the writing. */
  readonly lags: readonly number[]
}

const RELAY_ID = randomUUID()
/** Concurrent requests when no rate is given. */
const AT_ONCE = 200
const TICK_MS = 10
const LAG_EVERY_MS = 1000
const NOT_AFTER_MS = 60_000

/** Reserves and settles requests with the scripts that relays call, round-robin over all accounts. */
export async function writeRequests(load: Load, { requests, rate }: { requests: number; rate: number }): Promise<Written> {
  const startedAt = performance.now()
  const lags: number[] = []
  const timer = setInterval(() => {
    void countUnposted(load).then((unposted) => lags.push(unposted))
  }, LAG_EVERY_MS)
  try {
    await (rate === 0 ? writeAll(load, requests) : writeAtRate(load, requests, rate))
  } finally {
    clearInterval(timer)
  }
  return { written: requests, seconds: (performance.now() - startedAt) / 1000, lags }
}

/** Number of events that are in the streams but not in Postgres. */
export async function countUnposted({ db, redis, shards }: Omit<Load, 'ledger' | 'ids'>): Promise<number> {
  const all = allShards(shards)
  // Postgres first: events posted meanwhile can only make the result greater.
  const cursors = await listPostingCursors(db, all)
  return cursors.reduce((rest, { last_n }) => rest - last_n, await countAppended({ redis, shards }))
}

/** Number of events ever appended. */
export async function countAppended({ redis, shards }: Pick<Load, 'redis' | 'shards'>): Promise<number> {
  const counters = await Promise.all(allShards(shards).map((shard) => redis.hget(keys.fence(shard), 'n')))
  return counters.reduce((sum, n) => sum + Number(n ?? 0), 0)
}

async function writeAll(load: Load, requests: number): Promise<void> {
  let next = 0
  const one = async (): Promise<void> => {
    while (next < requests) await writeOne(load, next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function writeAtRate(load: Load, requests: number, rate: number): Promise<void> {
  const startedAt = performance.now()
  const running: Promise<void>[] = []
  while (running.length < requests) {
    const due = Math.min(requests, Math.ceil(((performance.now() - startedAt) * rate) / 1000))
    while (running.length < due) running.push(writeOne(load, running.length))
    await wait(TICK_MS)
  }
  await Promise.all(running)
}

let written = 0

async function writeOne({ ledger, shards, ids }: Load, at: number): Promise<void> {
  const account = ids[at % ids.length] ?? 0
  const shard = account % shards
  written += 1
  const request_id = `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}${RELAY_ID.slice(0, 8)}${written}`
  const { charge, body } = benchEvent(account, at)
  const held = await ledger.reserve({
    shard,
    request_id,
    user_id: account,
    token_id: account,
    user_auth: 1,
    token_auth: 1,
    relay_id: RELAY_ID,
    want: HELD,
    least: HELD,
    not_after: Date.now() + NOT_AFTER_MS,
    windows: [],
    pendingEvent: '{}',
  })
  if (held.kind !== 'held') throw new Error(`reserve answered ${held.kind}`)
  const { wallet_held, token_held, epoch } = held
  const settled = await ledger.settle({
    shard,
    request_id,
    user_id: account,
    token_id: account,
    charge,
    wallet_held,
    token_held,
    epoch,
    success_window_ms: 0,
    body,
  })
  if (settled.kind !== 'settled') throw new Error(`settle answered ${settled.kind}`)
}
