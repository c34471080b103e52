import { waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '../accounts/ledger-admin.ts'
import { areScriptsLoaded, closeFence, loadScripts, openFence, readEventCount } from './fence.ts'
import type { PostedCursor, PostedLedger, StorePosition } from './posted-ledger.ts'
import { forgetAccounts, syncAccounts, writePostedTombstones } from './repair-shard.ts'
import { acceptPosition, findOlder, raisePosition, readRemembered, type RememberedPosition } from './store-position.ts'
import { compareStreamIds, readLastStreamId } from './stream-id.ts'

export type RecoveryDeps = {
  readonly redis: Redis
  readonly shards: number
  readonly posted: PostedLedger
  readonly onRepaired: (repair: Repair) => void
  /** The repair failed: the shard stays closed and the next check tries again. */
  readonly onFailed: (shard: number, cause: unknown) => void
}

export type Repair = {
  readonly shard: number
  readonly reason: string
  /** Events that Redis had counted when the difference was found. */
  readonly redis_n: number
  /** Events that Postgres had posted by then. */
  readonly posted_n: number
  /** The number that new events continue from. */
  readonly restored_n: number
  /** Numbers up to `restored_n` whose events neither store has. */
  readonly missing: number
  readonly epoch: number
}

export type RecoveryResult =
  | { readonly kind: 'open' }
  | { readonly kind: 'opened'; readonly intact: readonly number[]; readonly repaired: readonly number[] }
  | { readonly kind: 'unavailable'; readonly cause: unknown }

export type Recovery = { check(): Promise<RecoveryResult> }

type Suspicion = { readonly shard: number; readonly reason: string | undefined }

/**
 * Checks every shard of a Redis that has no ledger scripts (restarted, promoted or replaced) against Postgres, repairs those that are
 * behind, opens their fences and loads the scripts; the only code that loads them. While the scripts are loaded it repairs single
 * shards: closed, suspect, or ahead of a Postgres that came back older. Run `check` in one process at a time. One Redis master only: with
 * several, each would need the scripts. See docs/ledger.md.
 */
export function createRecovery(deps: RecoveryDeps): Recovery {
  return {
    check: async () => {
      try {
        const stores = await readStores(deps)
        const result = await checkShards(deps, stores)
        // Last: a check that failed half-way must find the same difference again.
        if (stores.older === undefined) await raiseIfGrown(deps.redis, stores)
        else await acceptPosition(deps.redis, stores.position, stores.remembered)
        return result
      } catch (cause) {
        return { kind: 'unavailable', cause }
      }
    },
  }
}

type Reading = Pick<RecoveryDeps, 'redis' | 'shards' | 'posted'>

/**
 * Whether a check would find nothing and relays have reported no lost events. Reads both stores and changes no shard, so it needs no
 * lock. Rejects when a store does not answer.
 */
export async function isIntact(deps: Reading): Promise<boolean> {
  const stores = await readStores(deps)
  const { older, hasScripts, unopened, hasReports } = stores
  if (older !== undefined || !hasScripts || unopened.length > 0 || hasReports) return false
  await raiseIfGrown(deps.redis, stores)
  return true
}

type Stores = {
  readonly remembered: RememberedPosition | undefined
  readonly position: StorePosition
  /** Why this Postgres is older than the remembered one; undefined: it is not. */
  readonly older: string | undefined
  readonly hasScripts: boolean
  readonly unopened: readonly Suspicion[]
  /** Whether relays have reported lost events. */
  readonly hasReports: boolean
}

/**
 * Reads Redis in one batch, then Postgres. In this order a Postgres behind the remembered position came back older, and since posting
 * writes what it has committed into the fences, so did one whose cursor is behind its fence.
 */
async function readStores(deps: Reading): Promise<Stores> {
  const { redis, posted } = deps
  const all = shardsOf(deps)
  const [remembered, hasScripts, reports, ...fences] = await Promise.all([
    readRemembered(redis),
    areScriptsLoaded(redis),
    redis.exists(keys.lostEvents()),
    ...all.map((shard) => redis.hmget(keys.fence(shard), 'epoch', 'closed', 'posted')),
  ])
  const { position, cursors } = await posted.read(all)
  const older = findOlder(remembered, position)
  const unopened = older === undefined ? listUnopened({ hasScripts, fences, cursors }) : all.map((shard) => ({ shard, reason: older }))
  return { remembered, position, older, hasScripts, unopened, hasReports: reports > 0 }
}

async function checkShards(deps: RecoveryDeps, { hasScripts, unopened }: Stores): Promise<RecoveryResult> {
  if (hasScripts && unopened.length === 0) return { kind: 'open' }
  return await onOneConnection(deps.redis, (redis) => openAll({ ...deps, redis }, unopened, hasScripts))
}

/** An idle Postgres stays where it is, and the remembered position too. */
async function raiseIfGrown(redis: Redis, { remembered, position }: Stores): Promise<void> {
  if (remembered?.at !== position.at) await raisePosition(redis, position)
}

const shardsOf = ({ shards }: Reading): number[] => Array.from({ length: shards }, (_, shard) => shard)

type Shards = {
  readonly hasScripts: boolean
  readonly fences: readonly (readonly (string | null)[])[]
  readonly cursors: readonly PostedCursor[]
}

/** Without scripts every shard must be checked; with them only those without an epoch, closed, suspect or ahead of Postgres. */
function listUnopened({ hasScripts, fences, cursors }: Shards): Suspicion[] {
  if (!hasScripts) return fences.map((_, shard) => ({ shard, reason: undefined }))
  return cursors.flatMap((cursor): Suspicion[] => {
    const [epoch, closed, postedN] = fences[cursor.shard] ?? []
    if (cursor.is_suspect) return [{ shard: cursor.shard, reason: cursor.suspect_reason }]
    if (Number(postedN ?? 0) > cursor.last_n) return [{ shard: cursor.shard, reason: olderPostgres(Number(postedN), cursor) }]
    if (closed !== null) return [{ shard: cursor.shard, reason: 'it was closed' }]
    return epoch === null ? [{ shard: cursor.shard, reason: undefined }] : []
  })
}

const olderPostgres = (postedN: number, { last_n }: PostedCursor): string =>
  `Postgres has posted ${last_n} events and had posted ${postedN} before: it came back older`

/** A connection ends when its server does, so everything checked and opened on one connection is the same store. */
async function onOneConnection<T>(redis: Redis, work: (redis: Redis) => Promise<T>): Promise<T> {
  const own = redis.duplicate({ retryStrategy: () => null, commandTimeout: COMMAND_MS, enableOfflineQueue: false })
  own.on('error', () => undefined)
  try {
    await waitUntilReady(own, CONNECT_MS)
    return await work(own)
  } finally {
    own.disconnect()
  }
}

const COMMAND_MS = 10_000
const CONNECT_MS = 2000

async function openAll(deps: RecoveryDeps, unopened: readonly Suspicion[], hasScripts: boolean): Promise<RecoveryResult> {
  const { redis } = deps
  const [intact, repaired]: [number[], number[]] = [[], []]
  // All fences before the first repair, which may take seconds: a cold account loaded meanwhile would get the older sums.
  await Promise.all(unopened.filter(({ reason }) => reason !== undefined).map(({ shard }) => closeFence(redis, shard)))
  for (const { shard, reason } of unopened) {
    const problem = reason ?? (await openIfIntact(deps, shard))
    if (problem === undefined) intact.push(shard)
    else if (await isRepaired(deps, shard, problem)) repaired.push(shard)
  }
  if (!hasScripts) await loadScripts(redis)
  if (hasScripts && intact.length + repaired.length === 0) return { kind: 'open' }
  await redis.set(keys.opened(), await readRedisTime(redis))
  return { kind: 'opened', intact, repaired }
}

/** A shard whose repair fails does not keep the others closed. */
async function isRepaired(deps: RecoveryDeps, shard: number, problem: string): Promise<boolean> {
  await closeFence(deps.redis, shard)
  try {
    await repair(deps, shard, problem)
    return true
  } catch (cause) {
    deps.onFailed(shard, cause)
    return false
  }
}

/** Opens the shard unless it is behind what was posted; then it returns the reason. */
async function openIfIntact({ redis, posted }: RecoveryDeps, shard: number): Promise<string | undefined> {
  return posted.withCursor(shard, async (cursor, accounts) => {
    const problem = await findRegression(redis, cursor)
    if (problem !== undefined) return problem
    // A store from a moment ago may lack later updates from Postgres: credit, and the versions that revoke tokens.
    await syncAccounts(redis, shard, accounts)
    await openFence(redis, cursor)
    return undefined
  })
}

/**
 * Rebuilds a shard from Postgres: posts what the stream has, removes wallets and tokens (the next request loads them), turns posted
 * requests into tombstones, and continues numbers past what was posted. Each step can be repeated. Only posting writes to a closed
 * shard, and posting skips a suspect one.
 */
async function repair({ redis, posted, onRepaired }: RecoveryDeps, shard: number, reason: string): Promise<void> {
  const before = await posted.suspect(shard, reason)
  const redis_n = await readEventCount(redis, shard)
  const { missing } = await posted.postRest(shard, redis_n)
  await posted.withCursor(shard, async (cursor, accounts) => {
    if (!cursor.is_suspect) return
    await writePostedTombstones(redis, shard, accounts)
    await forgetAccounts(redis, shard)
    const { epoch, n } = await openFence(redis, cursor)
    await accounts.clearSuspicion()
    onRepaired({ shard, reason, redis_n, posted_n: before.last_n, restored_n: n, missing, epoch })
  })
}

/** Why this store of the shard is behind what Postgres has posted, or ahead of an older Postgres. */
async function findRegression(redis: Redis, cursor: PostedCursor): Promise<string | undefined> {
  const { shard, last_n, last_id, is_suspect, suspect_reason } = cursor
  if (is_suspect) return suspect_reason
  const n = await readEventCount(redis, shard)
  if (n < last_n) return `Redis has counted ${n} events, Postgres has posted ${last_n}`
  const lastId = await readLastStreamId(redis, keys.usage(shard))
  if (compareStreamIds(lastId, last_id) < 0) return `the stream ends at ${lastId}, Postgres has posted up to ${last_id}`
  const posted = Number((await redis.hget(keys.fence(shard), 'posted')) ?? '0')
  return posted > last_n ? olderPostgres(posted, cursor) : undefined
}
