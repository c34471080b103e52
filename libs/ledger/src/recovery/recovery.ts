import { duplicateRedis, PATIENT, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { allShards, homeOf, isCluster, isMoved, partsOf, type LedgerPart, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { areScriptsLoaded, closeFence, closeUncompared, loadScripts, openFence, readEventCount, UNCOMPARED } from './fence.ts'
import { isMasterOpenToOther, isOpenToOther, openToThis, writeOpened } from './other-version.ts'
import type { PostedCursor, PostedLedger, StorePosition } from './posted-ledger.ts'
import { forgetAccounts, syncAccounts, writePostedTombstones } from './repair-shard.ts'
import { acceptPosition, findOlder, findReplaced, raisePosition, readRemembered, type RememberedPosition } from './store-position.ts'
import { readOpening, readStoreMark, type StoreMark } from './store-mark.ts'
import { compareStreamIds, readLastStreamId } from './stream-id.ts'

export type RecoveryDeps = {
  readonly redis: LedgerServers
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
  /** Nothing could be checked, or, in a cluster, not everything: `opened` shards of other servers were opened. */
  | { readonly kind: 'unavailable'; readonly cause: unknown; readonly opened: number }

export type Recovery = { check(): Promise<RecoveryResult> }

type Suspicion = { readonly shard: number; readonly reason: string | undefined }

/**
 * Checks every shard of a Redis on which the ledger was not opened since it started or became the master against Postgres, repairs those
 * that are behind, opens their fences and loads the scripts; the only code that loads them. On an open Redis it repairs single shards:
 * closed, suspect, behind, or ahead of a Postgres that came back older. Each master of a cluster is checked by itself, and what one lacks
 * keeps only its shards closed. Run `check` in one process at a time. See docs/ledger.md.
 */
export function createRecovery(deps: RecoveryDeps): Recovery {
  return {
    check: async () => {
      try {
        const stores = await readStores(deps, true)
        const results = await Promise.allSettled(stores.parts.map((part) => checkPart(deps, part)))
        const failures = [...stores.failures, ...results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))]
        const result = joined(results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
        if (failures.length > 0) return { kind: 'unavailable', cause: failures[0], opened: countOpened(result) }
        // Last: a check that failed half-way must find the same difference again.
        if (stores.older === undefined) await raiseIfGrown(deps.redis, stores)
        else await acceptPosition(homeOf(deps.redis), stores.position, stores.remembered)
        return result
      } catch (cause) {
        return { kind: 'unavailable', cause, opened: 0 }
      }
    },
  }
}

type Checked = Exclude<RecoveryResult, { kind: 'unavailable' }>

function joined(results: readonly Checked[]): Checked {
  const opened = results.filter((result) => result.kind === 'opened')
  if (opened.length === 0) return { kind: 'open' }
  const sorted = (lists: readonly (readonly number[])[]): number[] => lists.flat().toSorted((a, b) => a - b)
  return { kind: 'opened', intact: sorted(opened.map(({ intact }) => intact)), repaired: sorted(opened.map(({ repaired }) => repaired)) }
}

const countOpened = (result: Checked): number => (result.kind === 'opened' ? result.intact.length + result.repaired.length : 0)

type Reading = Pick<RecoveryDeps, 'redis' | 'shards' | 'posted'>

/**
 * True if a check would find nothing and relays have reported no lost events. Reads both stores and changes no shard, so it needs no
 * lock. Rejects when a store does not answer.
 */
export async function isIntact(deps: Reading): Promise<boolean> {
  const stores = await readStores(deps, isStreamsDue(deps.redis))
  const { older, parts, failures, hasReports } = stores
  if (failures.length > 0) throw failures[0]
  if (older !== undefined || hasReports || parts.some(({ isOpened, unopened }) => !isOpened || unopened.length > 0)) return false
  await raiseIfGrown(deps.redis, stores)
  return true
}

const streamsComparedAt = new WeakMap<LedgerServers, number>()
/** A look is made twice a second; the last id of a stream comes with two of its events. */
const COMPARE_STREAMS_EVERY_MS = 5000

function isStreamsDue(redis: LedgerServers): boolean {
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
  readonly parts: readonly PartStores[]
  /** Why servers or shards could not be read. */
  readonly failures: readonly unknown[]
  /** Relays have reported lost events. */
  readonly hasReports: boolean
}

/** One server, and what is to be done there. */
type PartStores = {
  readonly redis: Redis
  readonly shards: readonly number[]
  readonly mark: StoreMark
  readonly hasScripts: boolean
  /** The scripts are loaded, and, with one server, the last opening was on this store. In a cluster each shard says that for itself. */
  readonly isOpened: boolean
  /** Another version of Tollgate serves from this store, and this one does not yet. */
  readonly isOpenToOther: boolean
  readonly unopened: readonly Suspicion[]
}

/**
 * Reads Redis in one batch, then Postgres, then what Redis has of each shard that was posted. In this order a Postgres behind the
 * remembered position came back older, and since posting writes what it has committed into the fences, so did one whose cursor is behind
 * its fence; a Redis behind a cursor that was read before it lacks events.
 */
async function readStores(deps: Reading, comparesStreams: boolean): Promise<Stores> {
  const { redis: servers, posted } = deps
  const home = homeOf(servers)
  const all = allShards(deps.shards)
  const known = partsOf(servers, all)
  const [remembered, reports, read] = await Promise.all([
    readRemembered(home),
    home.exists(keys.lostEvents()),
    Promise.allSettled(known.map((part) => readPart(servers, part))),
  ])
  const { position, cursors } = await posted.read(all)
  refuseReplaced(servers, findReplaced(remembered, position))
  const older = findOlder(remembered, position)
  const found = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const parts = await Promise.all(
    found.map(async (part): Promise<PartStores> => {
      const { redis, mark, hasScripts, isOpened, isOpenToOther: isOther, fences } = part
      const own = cursors.filter(({ shard }) => fences.has(shard))
      const unopened =
        older !== undefined
          ? own.map(({ shard }) => ({ shard, reason: older }))
          : isOpened || isOther
            ? await listUnopened(redis, { mark: isOther && !isCluster(servers) ? undefined : mark, fences, cursors: own, comparesStreams })
            : own.map(({ shard }) => ({ shard, reason: undefined }))
      return { redis, shards: part.shards, mark, hasScripts, isOpened, isOpenToOther: isOther, unopened }
    }),
  )
  const failures = [
    // A server without a shard, which may be a replica that some node still takes for a master, keeps nothing closed.
    ...read.flatMap((one, at) => (one.status === 'rejected' && known[at]?.shards.length !== 0 ? [one.reason as unknown] : [])),
    ...(known.flatMap(({ shards }) => shards).length < all.length
      ? [new Error('no server of the Redis cluster has some of the shards')]
      : []),
    ...found.flatMap((part) => part.moving),
  ]
  return { remembered, position, older, parts, failures, hasReports: reports > 0 }
}

type Fence = readonly (string | null)[]

/** One server as it is. */
type PartRead = Omit<PartStores, 'unopened'> & {
  readonly fences: ReadonlyMap<number, Fence>
  /** Refusals of shards that are on their way to another server. */
  readonly moving: readonly unknown[]
}

async function readPart(servers: LedgerServers, { redis, shards }: LedgerPart): Promise<PartRead> {
  const moving: unknown[] = []
  const [mark, opening, hasScripts, ...read] = await Promise.all([
    readStoreMark(redis),
    isCluster(servers) ? undefined : readOpening(redis),
    areScriptsLoaded(redis),
    ...shards.map((shard) =>
      redis.hmget(keys.fence(shard), 'epoch', 'closed', 'posted', 'store', 'n', 'script').catch((cause: unknown) => {
        if (!isMoved(cause)) throw cause
        moving.push(cause)
      }),
    ),
  ])
  if (mark === undefined) throw new Error('this Redis is a replica')
  const fences = new Map(shards.flatMap((shard, at): [number, Fence][] => (read[at] === undefined ? [] : [[shard, read[at]]])))
  const isOpened = hasScripts && (isCluster(servers) || opening?.mark === mark)
  const openings = [...fences.values()].map((fence) => ({ mark: fence[3] ?? null, script: fence[5] ?? null }))
  const isOther =
    !isOpened && (isCluster(servers) ? await isMasterOpenToOther(redis, openings, mark) : await isOpenToOther(redis, opening, mark))
  return { redis, shards, mark, hasScripts, isOpened, isOpenToOther: isOther, fences, moving }
}

const replacedSince = new WeakMap<LedgerServers, number>()
/** Connections to a primary that was replaced are gone by then; a copy from before the promotion may have been restored on purpose. */
const REPLACED_FOR_MS = 30_000

/** Repairs from a primary that was replaced would undo what was posted since. */
function refuseReplaced(redis: LedgerServers, reason: string | undefined): void {
  if (reason === undefined) {
    replacedSince.delete(redis)
    return
  }
  const since = replacedSince.get(redis) ?? performance.now()
  replacedSince.set(redis, since)
  if (performance.now() - since < REPLACED_FOR_MS) throw new Error(reason)
}

async function checkPart(deps: RecoveryDeps, part: PartStores): Promise<Checked> {
  if (part.isOpened && part.unopened.length === 0) return { kind: 'open' }
  const { posted, onRepaired, onFailed } = deps
  return await onOneConnection(part.redis, (redis) => openAll({ redis, servers: deps.redis, posted, onRepaired, onFailed }, part))
}

/** An idle Postgres stays where it is, and the remembered position too. */
async function raiseIfGrown(servers: LedgerServers, { remembered, position }: Stores): Promise<void> {
  if (remembered?.at !== position.at) await raisePosition(homeOf(servers), position)
}

type Shards = {
  /** Undefined: another version opened them, which may have written none. */
  readonly mark: StoreMark | undefined
  readonly fences: ReadonlyMap<number, Fence>
  readonly cursors: readonly PostedCursor[]
  readonly comparesStreams: boolean
}

/** Shards without an epoch, opened on another store, closed, suspect, behind what was posted or ahead of Postgres. */
async function listUnopened(redis: Redis, { mark, fences, cursors, comparesStreams }: Shards): Promise<Suspicion[]> {
  const found = cursors.map((cursor): Suspicion | undefined => {
    const { shard, last_n } = cursor
    const [epoch, closed, postedN, store] = fences.get(shard) ?? []
    if (cursor.is_suspect) return { shard, reason: cursor.suspect_reason }
    if (Number(postedN ?? 0) > last_n) return { shard, reason: olderPostgres(Number(postedN), cursor) }
    if (closed !== null && closed !== UNCOMPARED) return { shard, reason: 'it was closed' }
    return epoch === null || closed === UNCOMPARED || (mark !== undefined && store !== mark) ? { shard, reason: undefined } : undefined
  })
  // The number was read before the cursor, so a smaller one may have grown since.
  const isDoubtful = ({ shard, last_n }: PostedCursor): boolean =>
    last_n > 0 && (comparesStreams || Number(fences.get(shard)?.[4] ?? 0) < last_n)
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

/** Dependencies of a repair, on one connection to one server. */
type OpeningDeps = Omit<RecoveryDeps, 'redis' | 'shards'> & { readonly redis: Redis; readonly servers: LedgerServers }

async function openAll(deps: OpeningDeps, part: PartStores): Promise<Checked> {
  const { mark, hasScripts, isOpened, unopened } = part
  const { redis, servers } = deps
  if ((await readStoreMark(redis)) !== mark) throw new Error('another Redis answers at this address now')
  const [intact, repaired]: [number[], number[]] = [[], []]
  // All fences before the first repair, which may take seconds: a cold account loaded meanwhile would get the older sums.
  await Promise.all(unopened.map(({ shard, reason }) => (reason === undefined ? closeUncompared(redis, shard) : closeFence(redis, shard))))
  for (const { shard, reason } of unopened) {
    const problem = reason ?? (await openIfIntact(deps, shard, mark))
    if (problem === undefined) intact.push(shard)
    else if (await isRepaired(deps, { shard, problem, mark })) repaired.push(shard)
  }
  if (part.isOpenToOther) {
    await openToThis(redis, part.shards, mark)
    if (!isCluster(servers)) await writeOpened(redis, mark)
    return { kind: 'opened', intact, repaired }
  }
  if (!hasScripts) await loadScripts(redis)
  if (isOpened && intact.length + repaired.length === 0) return { kind: 'open' }
  // The fences of a cluster's shards hold their openings: no other key is sure to be on this server.
  if (!isCluster(servers)) await writeOpened(redis, mark)
  return { kind: 'opened', intact, repaired }
}

type Doubtful = { readonly shard: number; readonly problem: string; readonly mark: StoreMark }

/** A shard whose repair fails does not keep the others closed. */
async function isRepaired(deps: OpeningDeps, doubtful: Doubtful): Promise<boolean> {
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
async function openIfIntact({ redis, posted }: OpeningDeps, shard: number, mark: StoreMark): Promise<string | undefined> {
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
async function repair({ redis, posted, onRepaired }: OpeningDeps, { shard, problem: reason, mark }: Doubtful): Promise<void> {
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
