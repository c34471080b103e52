import type { Redis } from '@tollgate/redis/connect'
import { waitUntilReady } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '../accounts/ledger-admin.ts'
import { writePostedTombstones, forgetAccounts, syncAccounts } from './repair-shard.ts'
import type { PostedCursor, PostedLedger } from './posted-ledger.ts'
import { buildScript, ledgerScripts } from '../scripts/scripts.ts'
import { acceptPosition, findOlder, raisePosition, readRemembered } from './store-position.ts'

export type { PostedCursor } from './posted-ledger.ts'

export type RecoveryDeps = {
  readonly redis: Redis
  readonly shards: number
  readonly posted: PostedLedger
  /** A shard had to be repaired. */
  readonly onRepaired: (repair: Repair) => void
  /** A repair did not come to its end: that shard stays closed, the next look tries again. */
  readonly onFailed: (shard: number, cause: unknown) => void
}

export type Repair = {
  readonly shard: number
  readonly reason: string
  /** Events that Redis remembered, and that Postgres had posted, when they were found to differ. */
  readonly redis_n: number
  readonly posted_n: number
  /** The number it goes on from. */
  readonly restored_n: number
  /** Numbers up to `restored_n` whose events neither of the two has. */
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
 * The one who may load scripts (`ledger.md` section 7). A Redis that does not know them is new, restarted or replaced: each shard
 * is compared with its cursor; one that is intact gets what Postgres knows better and a new epoch, any other is repaired first. Then
 * the scripts are loaded. A single shard that is closed, suspect, or further than a Postgres that came back older, is repaired
 * while the others go on; of a Postgres whose log went back, every shard is. Run it from one process at a time.
 *
 * Knows one Redis master: with several the scripts would have to be loaded on each.
 */
export function createRecovery(deps: RecoveryDeps): Recovery {
  return {
    check: async () => {
      try {
        // Redis first: what it remembers of Postgres was true before, so a Postgres that is behind it came back older.
        const remembered = await readRemembered(deps.redis)
        const position = await deps.posted.position()
        const older = findOlder(remembered, position)
        const result = await look(deps, older)
        // Only now: a look that ended half-way finds the same again.
        await (older === undefined ? raisePosition(deps.redis, position) : acceptPosition(deps.redis, position, remembered))
        return result
      } catch (cause) {
        return { kind: 'unavailable', cause }
      }
    },
  }
}

async function look(deps: RecoveryDeps, older: string | undefined): Promise<RecoveryResult> {
  const hasScripts = await isFenceLoaded(deps.redis)
  const unopened = older === undefined ? await listUnopened(deps, hasScripts) : shardsOf(deps).map((shard) => ({ shard, reason: older }))
  if (hasScripts && unopened.length === 0) return { kind: 'open' }
  return await onOneConnection(deps.redis, (redis) => openAll({ ...deps, redis }, unopened, hasScripts))
}

const shardsOf = ({ shards }: RecoveryDeps): number[] => Array.from({ length: shards }, (_, shard) => shard)

/** Whether this Redis knows every ledger script, that is whether a keeper has looked at it. For readiness. */
export async function isFenceLoaded(redis: Redis): Promise<boolean> {
  const known = await redis.script('EXISTS', ...ledgerScripts.map((script) => script.sha))
  return Array.isArray(known) && known.length === ledgerScripts.length && known.every((one) => one === 1)
}

/** Without scripts every shard must be looked at; with them only those that lost their gate, were closed or are not what Postgres has. */
async function listUnopened(deps: RecoveryDeps, hasScripts: boolean): Promise<Suspicion[]> {
  const { redis, posted } = deps
  const all = shardsOf(deps)
  if (!hasScripts) return all.map((shard) => ({ shard, reason: undefined }))
  // Gates first: posting notes in them what it has committed, so a cursor read later is never behind unless Postgres is older.
  const fences = await Promise.all(all.map((shard) => redis.hmget(keys.fence(shard), 'epoch', 'closed', 'posted')))
  const cursors = await posted.listCursors(all)
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

/** A connection ends with the server it leads to: whatever is checked and opened on one of them is the same store. */
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
  // All of them before the first repair, which may take seconds: a cold account loaded meanwhile would have the sums of before.
  await Promise.all(unopened.filter(({ reason }) => reason !== undefined).map(({ shard }) => closeShard(redis, shard)))
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

/** One shard that cannot be repaired does not keep the others closed. */
async function isRepaired(deps: RecoveryDeps, shard: number, problem: string): Promise<boolean> {
  await closeShard(deps.redis, shard)
  try {
    await repair(deps, shard, problem)
    return true
  } catch (cause) {
    deps.onFailed(shard, cause)
    return false
  }
}

/** Opens the shard unless it is behind what was posted; then the answer says how. */
async function openIfIntact({ redis, posted }: RecoveryDeps, shard: number): Promise<string | undefined> {
  return posted.withCursor(shard, async (cursor, accounts) => {
    const problem = await findRegression(redis, cursor)
    if (problem !== undefined) return problem
    // A store from a moment ago may lack what was told to it since: credit, and numbers that revoke tokens.
    await syncAccounts(redis, shard, accounts)
    await openFence(redis, cursor)
    return undefined
  })
}

/**
 * Makes Postgres the measure: everything that the stream has is posted, wallets and tokens are forgotten (the next request loads
 * them), posted requests become tombstones, numbers go on behind what was posted. Every step may be repeated; nobody but posting
 * touches the closed shard meanwhile, and posting leaves a suspect one alone.
 */
async function repair({ redis, posted, onRepaired }: RecoveryDeps, shard: number, reason: string): Promise<void> {
  const before = await posted.suspect(shard, reason)
  const redis_n = await readN(redis, shard)
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

/** Refuses everything in a shard until a keeper opens it again. */
export async function closeShard(redis: Redis, shard: number): Promise<void> {
  await redis.hset(keys.fence(shard), 'closed', '1')
}

/** Opens one shard whose store was checked; only keepers and tests may. */
export async function openFence(
  redis: Redis,
  { shard, last_n, last_id }: Pick<PostedCursor, 'shard' | 'last_n' | 'last_id'>,
): Promise<{ epoch: number; n: number }> {
  const answer = await redis.eval(buildScript('open-fence'), 2, keys.fence(shard), keys.usage(shard), last_n, last_id)
  if (!Array.isArray(answer) || answer[0] !== 'opened') throw new Error(`open-fence answered ${String(answer)}`)
  return { epoch: Number(answer[1]), n: Number(answer[2]) }
}

async function readN(redis: Redis, shard: number): Promise<number> {
  return Number((await redis.hget(keys.fence(shard), 'n')) ?? '0')
}

async function findRegression(
  redis: Redis,
  { shard, last_n, last_id, is_suspect, suspect_reason }: PostedCursor,
): Promise<string | undefined> {
  if (is_suspect) return suspect_reason
  const n = await readN(redis, shard)
  if (n < last_n) return `Redis has counted ${n} events, Postgres has posted ${last_n}`
  const lastId = await lastStreamId(redis, keys.usage(shard))
  if (compareStreamIds(lastId, last_id) < 0) return `the stream ends at ${lastId}, Postgres has posted up to ${last_id}`
  const posted = Number((await redis.hget(keys.fence(shard), 'posted')) ?? '0')
  return posted > last_n ? olderPostgres(posted, { shard, last_n, last_id, is_suspect, suspect_reason }) : undefined
}

async function lastStreamId(redis: Redis, key: string): Promise<string> {
  if ((await redis.exists(key)) === 0) return '0-0'
  const info: unknown = await redis.xinfo('STREAM', key)
  if (!Array.isArray(info)) throw new Error('XINFO STREAM answered no list')
  return String(info[info.indexOf('last-generated-id') + 1])
}

/** Negative when `a` is older than `b`. Ids are `ms-seq`. */
export function compareStreamIds(a: string, b: string): number {
  const [aMs = '0', aSeq = '0'] = a.split('-')
  const [bMs = '0', bSeq = '0'] = b.split('-')
  return Number(aMs) - Number(bMs) || Number(aSeq) - Number(bSeq)
}

/** All or none: a Redis that knows some of them would take requests of which it cannot end. */
async function loadScripts(redis: Redis): Promise<void> {
  const loading = redis.multi()
  for (const script of ledgerScripts) loading.script('LOAD', script.text)
  const answers = (await loading.exec()) ?? []
  for (const [at, script] of ledgerScripts.entries()) {
    if (answers[at]?.[1] !== script.sha) throw new Error(`Redis computed another sha for ${script.name}`)
  }
}
