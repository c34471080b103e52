import type { Db } from '@tollgate/db/connect'
import { isLockTimeout } from '@tollgate/db/refused-lock'
import { withStatements } from '@tollgate/db/statement-limits'
import { isRefusedValue } from '@tollgate/db/refused-value'
import { listPostingCursors, markShardSuspect, type PostingCursor } from '@tollgate/db/queries/ledger/posting'
import { removeBalanceCorrections, type BalanceCorrection } from '@tollgate/db/queries/wallet/balance-corrections'
import type { JobResult } from '@tollgate/jobs/jobs'
import { homeOf, isCluster, partsOf, serverOf, type LedgerPart, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { closeFence, notePosted } from '@tollgate/ledger/recovery/fence'
import { readRemembered, type RememberedPosition } from '@tollgate/ledger/recovery/store-position'
import { execAll } from '@tollgate/redis/exec-all'
import { keys } from '@tollgate/redis/keys'
import type { CorrectionResult, LedgerAdmin, PostedUpTo } from '@tollgate/ledger/accounts/ledger-admin'
import type { Logger } from '@tollgate/telemetry/logger'
import type { BalanceNotices } from '../senders/balance-notices.ts'
import type { Observer } from '../telemetry/observe.ts'
import { withTimeout } from '@tollgate/redis/with-timeout'
import { BATCH_SIZE, OlderPostgres, postBatches, type BatchResult, type PostedBatches } from './post-batch.ts'
import type { StreamEntry } from './posted-event.ts'
import type { StreamTrim } from './stream-trim.ts'

export type PostingDeps = {
  readonly db: Db
  readonly redis: LedgerServers
  readonly admin: LedgerAdmin
  readonly trim: StreamTrim
  readonly balanceNotices?: BalanceNotices
  readonly observer: Pick<Observer, 'posted'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Unix milliseconds. */
  readonly now: () => number
}

export type PostingTotals = JobResult<'post-usage'>

const READ_TIMEOUT_MS = 2000
const SHARD_BUDGET_MS = 800

/** Posts these shards. A shard without new events costs one field of a pipelined read. */
export async function postShards(deps: PostingDeps, shards: readonly number[], signal?: AbortSignal): Promise<PostingTotals> {
  return await postWork(deps, await listWork(deps, shards), signal)
}

/** Posts the events of these shards. Shards with few share a transaction, because its statements cost more than their rows. */
export async function postWork(deps: PostingDeps, work: readonly Work[], signal?: AbortSignal): Promise<PostingTotals> {
  const totals = { posted: 0, dropped: 0, rejected: 0, corrected: 0, suspect: new Array<number>() }
  const remembered = await withTimeout(
    readRemembered(homeOf(deps.redis)),
    READ_TIMEOUT_MS,
    'Redis did not answer what it remembers of Postgres',
  )
  const run: Run = { remembered, totals, signal }
  try {
    await withStatements('posting', async () => {
      for (const together of batchesOf(work)) await postTogether(deps, together, run)
    })
  } catch (err) {
    if (!(err instanceof OlderPostgres)) throw err
    deps.log.warn({ err }, 'Posting waits for recovery: this Postgres is not the one that Redis knows, or is behind it')
  }
  return totals
}

/** A shard and the number of its events that are not posted. */
export type Work = { readonly shard: number; readonly unposted: number }

/** Shards that have events or balance corrections to post. */
export async function listWork({ db, redis }: Pick<PostingDeps, 'db' | 'redis'>, shards: readonly number[]): Promise<Work[]> {
  if (shards.length === 0) return []
  const fenceOf = await readFences(redis, shards)
  const cursors = await listPostingCursors(db, shards)
  return cursors.flatMap(({ shard, last_n, is_suspect, has_corrections }) => {
    const fence = fenceOf.get(shard)
    if (fence === undefined) return []
    const [n = 0, posted = 0] = fence
    // Postgres had posted more than its cursor says: it came back older, and recovery repairs the shard.
    if (is_suspect || posted > last_n) return []
    return has_corrections || n > last_n ? [{ shard, unposted: n - last_n }] : []
  })
}

/** True if one transaction can post all of it. */
export const isOneBatch = (work: readonly Work[]): boolean => work.reduce((sum, { unposted }) => sum + unposted, 0) <= BATCH_SIZE

/** Lists of shards whose events together fill at most one batch; a shard with more is alone. */
function batchesOf(work: readonly Work[]): number[][] {
  const batches: number[][] = []
  let free = 0
  for (const { shard, unposted } of work) {
    if (unposted > free || batches.length === 0) {
      batches.push([])
      free = BATCH_SIZE
    }
    batches.at(-1)?.push(shard)
    free -= unposted
  }
  return batches
}

/** True if Redis has counted events that it does not know to be posted. */
export async function hasUnposted(redis: LedgerServers, shards: readonly number[]): Promise<boolean> {
  const fences = await readFences(redis, shards)
  return fences.values().some(([n = 0, posted = 0]) => n > posted)
}

/** `n` and `posted` of each shard; without the shards of a server that does not answer, if there are others. */
async function readFences(redis: LedgerServers, shards: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const parts = partsOf(redis, shards).filter((part) => part.shards.length > 0)
  if (!isCluster(redis)) return new Map(await Promise.all(parts.map(readPartFences)).then((all) => all.flat()))
  const read = await Promise.allSettled(parts.map(readPartFences))
  return new Map(read.flatMap((part) => (part.status === 'fulfilled' ? part.value : [])))
}

/** In one pipelined call. */
async function readPartFences({ redis, shards }: LedgerPart): Promise<(readonly [shard: number, fence: readonly number[]])[]> {
  const pipeline = redis.pipeline()
  for (const shard of shards) pipeline.hmget(keys.fence(shard), 'n', 'posted')
  const answers = await withTimeout(execAll(pipeline), READ_TIMEOUT_MS, 'Redis did not answer the event counters')
  return answers.flatMap((fields, at) => {
    const shard = shards[at]
    return shard === undefined || !Array.isArray(fields) ? [] : [[shard, fields.map((field) => Number(field ?? '0'))] as const]
  })
}

type Run = {
  readonly remembered: RememberedPosition | undefined
  readonly totals: { posted: number; dropped: number; rejected: number; corrected: number; readonly suspect: number[] }
  readonly signal: AbortSignal | undefined
}

/** Posts shards in one transaction, then alone those that had more. If it fails, each is posted alone: one must not stop the others. */
async function postTogether(deps: PostingDeps, shards: readonly number[], run: Run): Promise<void> {
  const isAborted = (): boolean => run.signal?.aborted === true
  if (isAborted()) return
  const rest = shards.length > 1 ? await tryTogether(deps, shards, run) : shards
  const failures: unknown[] = []
  for (const shard of rest) {
    if (isAborted()) break
    try {
      await postShard(deps, shard, run)
    } catch (err) {
      if (isLockTimeout(err)) deps.log.warn({ shard, err }, 'Shard skipped: one of its accounts is locked')
      else if (isRefusedValue(err)) failures.push(err)
      else throw err
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** The shards that are to be posted alone: those with more events, or all if the transaction failed. A locked one is posted elsewhere. */
async function tryTogether(deps: PostingDeps, shards: readonly number[], run: Run): Promise<readonly number[]> {
  let result: PostedBatches
  try {
    result = await postOnce(deps, shards, run)
  } catch (err) {
    if (err instanceof OlderPostgres) throw err
    deps.log.warn({ err }, 'Shards are posted one by one, because their common transaction failed')
    return shards
  }
  await conclude(deps, result, run)
  return result.batches.filter(({ isFull }) => isFull).map(({ shard }) => shard)
}

async function postOnce(deps: PostingDeps, shards: readonly number[], { remembered }: Run): Promise<PostedBatches> {
  const input = { shards, remembered, nowSeconds: nowSeconds(deps) }
  const read = (cursors: readonly PostingCursor[]) => readAllEntries(deps.redis, cursors)
  return await deps.db.transaction().execute((tx) => postBatches(tx, { ...input, read }))
}

async function postShard(deps: PostingDeps, shard: number, run: Run): Promise<void> {
  const deadline = deps.now() + SHARD_BUDGET_MS
  let isFull: boolean
  do {
    const result = await postOnce(deps, [shard], run)
    await conclude(deps, result, run)
    isFull = result.batches.some((batch) => batch.isFull && batch.gap === undefined)
  } while (isFull && deps.now() < deadline && run.signal?.aborted !== true)
}

const nowSeconds = ({ now }: PostingDeps): number => Math.floor(now() / 1000)

/** Tells Redis of a committed transaction. */
async function conclude(deps: PostingDeps, { batches, balances }: PostedBatches, { totals }: Run): Promise<void> {
  if (batches.length === 0) return
  await notePosted(deps.redis, batches)
  await deps.balanceNotices?.check(balances)
  for (const batch of batches) {
    const { shard, rejected, gap } = batch
    deps.observer.posted(batch)
    totals.posted += batch.posted
    totals.dropped += batch.dropped
    totals.rejected += rejected
    totals.corrected += batch.corrected
    if (rejected > 0) deps.log.error({ shard, count: rejected }, 'Usage events could not be decoded and were written to posting_rejects')
    await correctBalances(deps, batch)
    if (gap !== undefined) {
      totals.suspect.push(shard)
      await suspectShard(deps, shard, gap)
    }
  }
  const sound = batches.filter(({ gap }) => gap === undefined)
  await Promise.all(sound.map((batch) => deps.trim.trim(batch.shard, batch)))
}

/** Entries after each cursor, sent together. */
async function readAllEntries(redis: LedgerServers, cursors: readonly PostingCursor[]): Promise<readonly (readonly StreamEntry[])[]> {
  return await Promise.all(cursors.map(({ shard, last_id }) => readEntries(redis, shard, last_id)))
}

export async function readEntries(redis: LedgerServers, shard: number, afterId: string): Promise<readonly StreamEntry[]> {
  return withTimeout(
    serverOf(redis, shard).xrange(keys.usage(shard), `(${afterId}`, '+', 'COUNT', BATCH_SIZE),
    READ_TIMEOUT_MS,
    'Redis did not answer a read of the usage stream',
  )
}

/** Redis counted events that Postgres dropped or corrected: sets its sums to what was posted, and the events that are not posted yet. */
async function correctBalances(
  deps: PostingDeps,
  { shard, balance_corrections, dropped, corrected, last_n, last_id }: BatchResult,
): Promise<void> {
  if (dropped + corrected > 0)
    deps.log.warn({ shard, count: dropped + corrected }, 'Usage events that were already posted were dropped or corrected')
  const applied: BalanceCorrection[] = []
  for (const correction of balance_corrections) {
    if (isApplied(await correctOne(deps.admin, correction, { shard, posted_n: last_n, posted_id: last_id }))) applied.push(correction)
  }
  // The other rows stay for the next run: too many events follow, or Redis did not answer.
  await removeBalanceCorrections(deps.db, { shard, n: last_n, accounts: applied })
}

function correctOne(
  admin: LedgerAdmin,
  { subject, subject_id, posted, budgets }: BalanceCorrection,
  upTo: Omit<PostedUpTo, 'budgets'>,
): Promise<CorrectionResult> {
  return subject === 'user'
    ? admin.correctWallet({ ...upTo, user_id: subject_id, spent: posted, budgets })
    : admin.correctToken({ ...upTo, token_id: subject_id, charged: posted, budgets })
}

const isApplied = ({ kind }: CorrectionResult): boolean => kind === 'corrected' || kind === 'absent'

/** A shard whose stream has a gap is neither posted nor reserved from until recovery has repaired it. */
async function suspectShard({ db, redis, log, now }: PostingDeps, shard: number, reason: string): Promise<void> {
  await markShardSuspect(db, { shard, reason, now: Math.floor(now() / 1000) })
  await closeFence(redis, shard)
  log.error({ shard, reason }, 'Ledger shard suspect: its stream has a gap; its fence is closed')
}
