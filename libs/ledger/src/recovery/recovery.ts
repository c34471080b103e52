import { duplicateRedis, PATIENT, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '../accounts/ledger-admin.ts'
import { areScriptsLoaded, closeFence, closeUncompared, loadScripts, openFence, readEventCount, UNCOMPARED } from './fence.ts'
import type { PostedCursor, PostedLedger, StorePosition } from './posted-ledger.ts'
import { forgetAccounts, syncAccounts, writePostedTombstones } from './repair-shard.ts'
import { acceptPosition, findOlder, findReplaced, raisePosition, readRemembered, type RememberedPosition } from './store-position.ts'
import { readOpening, readStoreMark, writeOpening, type StoreMark } from './store-mark.ts'
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
 * Checks every shard of a Redis on which the ledger was not opened since it started or became the master against Postgres, repairs those
 * that are behind, opens their fences and loads the scripts; the only code that loads them. On an open Redis it repairs single shards:
 * closed, suspect, behind, or ahead of a Postgres that came back older. Run `check` in one process at a time. One Redis master only:
 * with several, each would need the scripts. See docs/ledger.md.
 */
export function createRecovery(deps: RecoveryDeps): Recovery {
  return {
    check: async () => {
      try {
        const stores = await readStores(deps, true)
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
 * True if a check would find nothing and relays have reported no lost events. Reads both stores and changes no shard, so it needs no
 * lock. Rejects when a store does not answer.
 */
export async function isIntact(deps: Reading): Promise<boolean> {
  const stores = await readStores(deps, isStreamsDue(deps.redis))
  const { older, isOpened, unopened, hasReports } = stores
  if (older !== undefined || !isOpened || unopened.length > 0 || hasReports) return false
  await raiseIfGrown(deps.redis, stores)
  return true
}

const streamsComparedAt = new WeakMap<Redis, number>()
/** A look is made twice a second; the last id of a stream comes with two of its events. */
const COMPARE_STREAMS_EVERY_MS = 5000

function isStreamsDue(redis: Redis): boolean {
  const now = performance.now()
  if (now - (streamsComparedAt.get(redis) ?? Number.NEGATIVE_INFINITY) < COMPARE_STREAMS_EVERY_MS) return false
  streamsComparedAt.set(redis, now)
  return true
}

type Stores = {
  readonly remembered: RememberedPosition | undefined
  readonly position: StorePosition
  /** Why this Postgres is older than the remembered one; undefined: it is not. */
  readonly older: string | undefined
  readonly mark: StoreMark
  readonly hasScripts: boolean
  /** The scripts are loaded, and the last opening was on this store. */
  readonly isOpened: boolean
  readonly unopened: readonly Suspicion[]
  /** Relays have reported lost events. */
  readonly hasReports: boolean
}

/**
 * Reads Redis in one batch, then Postgres, then what Redis has of each shard that was posted. In this order a Postgres behind the
 * remembered position came back older, and since posting writes what it has committed into the fences, so did one whose cursor is behind
 * its fence; a Redis behind a cursor that was read before it lacks events.
 */
async function readStores(deps: Reading, comparesStreams: boolean): Promise<Stores> {
  const { redis, posted } = deps
  const all = shardsOf(deps)
  const [mark, opening, remembered, hasScripts, reports, ...fences] = await Promise.all([
    readStoreMark(redis),
    readOpening(redis),
    readRemembered(redis),
    areScriptsLoaded(redis),
    redis.exists(keys.lostEvents()),
    ...all.map((shard) => redis.hmget(keys.fence(shard), 'epoch', 'closed', 'posted', 'store', 'n')),
  ])
  if (mark === undefined) throw new Error('this Redis is a replica')
  const { position, cursors } = await posted.read(all)
  refuseReplaced(redis, findReplaced(remembered, position))
  const older = findOlder(remembered, position)
  const isOpened = hasScripts && opening?.mark === mark
  const unopened =
    older !== undefined
      ? all.map((shard) => ({ shard, reason: older }))
      : isOpened
        ? await listUnopened(redis, { mark, fences, cursors, comparesStreams })
        : all.map((shard) => ({ shard, reason: undefined }))
  return { remembered, position, older, mark, hasScripts, isOpened, unopened, hasReports: reports > 0 }
}

const replacedSince = new WeakMap<Redis, number>()
/** Connections to a primary that was replaced are gone by then; a copy from before the promotion may have been restored on purpose. */
const REPLACED_FOR_MS = 30_000

/** Repairs from a primary that was replaced would undo what was posted since. */
function refuseReplaced(redis: Redis, reason: string | undefined): void {
  if (reason === undefined) {
    replacedSince.delete(redis)
    return
  }
  const since = replacedSince.get(redis) ?? performance.now()
  replacedSince.set(redis, since)
  if (performance.now() - since < REPLACED_FOR_MS) throw new Error(reason)
}

async function checkShards(deps: RecoveryDeps, stores: Stores): Promise<RecoveryResult> {
  if (stores.isOpened && stores.unopened.length === 0) return { kind: 'open' }
  return await onOneConnection(deps.redis, (redis) => openAll({ ...deps, redis }, stores))
}

/** An idle Postgres stays where it is, and the remembered position too. */
async function raiseIfGrown(redis: Redis, { remembered, position }: Stores): Promise<void> {
  if (remembered?.at !== position.at) await raisePosition(redis, position)
}

const shardsOf = ({ shards }: Reading): number[] => Array.from({ length: shards }, (_, shard) => shard)

type Shards = {
  readonly mark: StoreMark
  readonly fences: readonly (readonly (string | null)[])[]
  readonly cursors: readonly PostedCursor[]
  readonly comparesStreams: boolean
}

/** Shards without an epoch, opened on another store, closed, suspect, behind what was posted or ahead of Postgres. */
async function listUnopened(redis: Redis, { mark, fences, cursors, comparesStreams }: Shards): Promise<Suspicion[]> {
  const found = cursors.map((cursor): Suspicion | undefined => {
    const { shard, last_n } = cursor
    const [epoch, closed, postedN, store] = fences[shard] ?? []
    if (cursor.is_suspect) return { shard, reason: cursor.suspect_reason }
    if (Number(postedN ?? 0) > last_n) return { shard, reason: olderPostgres(Number(postedN), cursor) }
    if (closed !== null && closed !== UNCOMPARED) return { shard, reason: 'it was closed' }
    return epoch === null || closed === UNCOMPARED || store !== mark ? { shard, reason: undefined } : undefined
  })
  // The number was read before the cursor, so a smaller one may have grown since.
  const isDoubtful = ({ shard, last_n }: PostedCursor): boolean =>
    last_n > 0 && (comparesStreams || Number(fences[shard]?.[4] ?? 0) < last_n)
  const unseen = cursors.filter((cursor, at) => found[at] === undefined && isDoubtful(cursor))
  const behind = await Promise.all(unseen.map(async (cursor) => ({ shard: cursor.shard, reason: await findBehind(redis, cursor) })))
  return [...found.filter((one) => one !== undefined), ...behind.filter(({ reason }) => reason !== undefined)]
}

const olderPostgres = (postedN: number, { last_n }: PostedCursor): string =>
  `Postgres has posted ${last_n} events and had posted ${postedN} before: it came back older`

/** A connection ends when its server does, so everything checked and opened on one connection is the same store. */
async function onOneConnection<T>(redis: Redis, work: (redis: Redis) => Promise<T>): Promise<T> {
  const own = duplicateRedis(redis, { retryStrategy: () => null, enableOfflineQueue: false, ...PATIENT })
  try {
    await waitUntilReady(own, CONNECT_MS)
    return await work(own)
  } finally {
    own.disconnect()
  }
}

const CONNECT_MS = 2000

async function openAll(deps: RecoveryDeps, { mark, hasScripts, isOpened, unopened }: Stores): Promise<RecoveryResult> {
  const { redis } = deps
  if ((await readStoreMark(redis)) !== mark) throw new Error('another Redis answers at this address now')
  const [intact, repaired]: [number[], number[]] = [[], []]
  // All fences before the first repair, which may take seconds: a cold account loaded meanwhile would get the older sums.
  await Promise.all(unopened.map(({ shard, reason }) => (reason === undefined ? closeUncompared(redis, shard) : closeFence(redis, shard))))
  for (const { shard, reason } of unopened) {
    const problem = reason ?? (await openIfIntact(deps, shard, mark))
    if (problem === undefined) intact.push(shard)
    else if (await isRepaired(deps, { shard, problem, mark })) repaired.push(shard)
  }
  if (!hasScripts) await loadScripts(redis)
  if (isOpened && intact.length + repaired.length === 0) return { kind: 'open' }
  await writeOpening(redis, await readRedisTime(redis), mark)
  return { kind: 'opened', intact, repaired }
}

type Doubtful = { readonly shard: number; readonly problem: string; readonly mark: StoreMark }

/** A shard whose repair fails does not keep the others closed. */
async function isRepaired(deps: RecoveryDeps, doubtful: Doubtful): Promise<boolean> {
  const { shard } = doubtful
  await closeFence(deps.redis, shard)
  try {
    await repair(deps, doubtful)
    return true
  } catch (cause) {
    deps.onFailed(shard, cause)
    return false
  }
}

/** Opens the shard unless it is behind what was posted; then it returns the reason. */
async function openIfIntact({ redis, posted }: RecoveryDeps, shard: number, mark: StoreMark): Promise<string | undefined> {
  return posted.withCursor(shard, async (cursor, accounts) => {
    const problem = await findRegression(redis, cursor)
    if (problem !== undefined) return problem
    // A store from a moment ago may lack later updates from Postgres: credit, and the versions that revoke tokens.
    await syncAccounts(redis, shard, accounts)
    await openFence(redis, cursor, mark)
    return undefined
  })
}

/**
 * Rebuilds a shard from Postgres: posts what the stream has, removes wallets and tokens (the next request loads them), turns posted
 * requests into tombstones, and continues numbers past what was posted. Each step can be repeated. Only posting writes to a closed
 * shard, and posting skips a suspect one.
 */
async function repair({ redis, posted, onRepaired }: RecoveryDeps, { shard, problem: reason, mark }: Doubtful): Promise<void> {
  const before = await posted.suspect(shard, reason)
  const redis_n = await readEventCount(redis, shard)
  const { missing } = await posted.postRest(shard, redis_n)
  await posted.withCursor(shard, async (cursor, accounts) => {
    if (!cursor.is_suspect) return
    await writePostedTombstones(redis, shard, accounts)
    await forgetAccounts(redis, shard)
    const { epoch, n } = await openFence(redis, cursor, mark)
    await accounts.clearSuspicion()
    onRepaired({ shard, reason, redis_n, posted_n: before.last_n, restored_n: n, missing, epoch })
  })
}

/** Why this store of the shard is behind what Postgres has posted, or ahead of an older Postgres. */
async function findRegression(redis: Redis, cursor: PostedCursor): Promise<string | undefined> {
  const { shard, last_n, is_suspect, suspect_reason } = cursor
  if (is_suspect) return suspect_reason
  const behind = await findBehind(redis, cursor)
  if (behind !== undefined) return behind
  const posted = Number((await redis.hget(keys.fence(shard), 'posted')) ?? '0')
  return posted > last_n ? olderPostgres(posted, cursor) : undefined
}

/** Why this store of the shard lacks events that Postgres has posted. */
async function findBehind(redis: Redis, { shard, last_n, last_id }: PostedCursor): Promise<string | undefined> {
  const [n, lastId] = await Promise.all([readEventCount(redis, shard), readLastStreamId(redis, keys.usage(shard))])
  if (n < last_n) return `Redis has counted ${n} events, Postgres has posted ${last_n}`
  return compareStreamIds(lastId, last_id) < 0 ? `the stream ends at ${lastId}, Postgres has posted up to ${last_id}` : undefined
}
