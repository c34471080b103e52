import type { Db } from '@tollgate/db/connect'
import { isLockTimeout } from '@tollgate/db/lock-timeout'
import { listPostingCursors, markShardSuspect } from '@tollgate/db/queries/ledger/posting'
import { removeBalanceCorrections, type BalanceCorrection } from '@tollgate/db/queries/wallet/balance-corrections'
import type { JobResult } from '@tollgate/jobs/jobs'
import type { Redis } from '@tollgate/redis/connect'
import { closeFence, notePosted } from '@tollgate/ledger/recovery/fence'
import { readRemembered, type RememberedPosition } from '@tollgate/ledger/recovery/store-position'
import { execAll } from '@tollgate/redis/exec-all'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin, CorrectionResult } from '@tollgate/ledger/accounts/ledger-admin'
import type { Logger } from '@tollgate/telemetry/logger'
import type { BalanceNotices } from '../senders/balance-notices.ts'
import type { Observer } from '../telemetry/observe.ts'
import { withTimeout } from '@tollgate/redis/with-timeout'
import { BATCH_SIZE, OlderPostgres, postBatch, type BatchResult } from './post-batch.ts'
import type { StreamEntry } from './posted-event.ts'
import type { StreamTrim } from './stream-trim.ts'

export type PostingDeps = {
  readonly db: Db
  readonly redis: Redis
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

/** Posts these shards one after the other; a shard without new events costs one field of a pipelined read. */
export async function postShards(deps: PostingDeps, shards: readonly number[], signal?: AbortSignal): Promise<PostingTotals> {
  const totals = { posted: 0, dropped: 0, rejected: 0, corrected: 0, suspect: new Array<number>() }
  const remembered = await withTimeout(readRemembered(deps.redis), READ_TIMEOUT_MS, 'Redis did not answer what it remembers of Postgres')
  for (const shard of await listShardsToPost(deps, shards)) {
    if (signal?.aborted === true) break
    try {
      await postShard(deps, { shard, remembered }, totals, signal)
    } catch (err) {
      if (err instanceof OlderPostgres) {
        deps.log.warn({ err }, 'Posting waits for recovery: this Postgres is not the one that Redis knows, or is behind it')
        break
      }
      if (!isLockTimeout(err)) throw err
      deps.log.warn({ shard, err }, 'Shard skipped: its cursor or one of its accounts is locked')
    }
  }
  return totals
}

/** Shards that have events or balance corrections to post. */
export async function listShardsToPost({ db, redis }: Pick<PostingDeps, 'db' | 'redis'>, shards: readonly number[]): Promise<number[]> {
  if (shards.length === 0) return []
  const fenceOf = await readFences(redis, shards)
  const cursors = await listPostingCursors(db, shards)
  return cursors
    .filter(({ shard, last_n, is_suspect, has_corrections }) => {
      const [n = 0, posted = 0] = fenceOf.get(shard) ?? []
      // Postgres had posted more than its cursor says: it came back older, and recovery repairs the shard.
      if (is_suspect || posted > last_n) return false
      return has_corrections || n > last_n
    })
    .map(({ shard }) => shard)
}

/** True if Redis has counted events that it does not know to be posted. */
export async function hasUnposted(redis: Redis, shards: readonly number[]): Promise<boolean> {
  const fences = await readFences(redis, shards)
  return fences.values().some(([n = 0, posted = 0]) => n > posted)
}

/** `n` and `posted` of each shard, in one pipelined call. */
async function readFences(redis: Redis, shards: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const pipeline = redis.pipeline()
  for (const shard of shards) pipeline.hmget(keys.fence(shard), 'n', 'posted')
  const answers = await withTimeout(execAll(pipeline), READ_TIMEOUT_MS, 'Redis did not answer the event counters')
  return new Map(
    answers.flatMap((fields, at) => {
      const shard = shards[at]
      return shard === undefined || !Array.isArray(fields) ? [] : [[shard, fields.map((field) => Number(field ?? '0'))] as const]
    }),
  )
}

type Posted = { readonly shard: number; readonly remembered: RememberedPosition | undefined }

async function postShard(deps: PostingDeps, { shard, remembered }: Posted, totals: PostingTotals, signal?: AbortSignal): Promise<void> {
  const deadline = deps.now() + SHARD_BUDGET_MS
  let last: BatchResult
  do {
    const result = await deps.db.transaction().execute((tx) =>
      postBatch(tx, {
        shard,
        remembered,
        read: (afterId) => readEntries(deps.redis, shard, afterId),
        nowSeconds: Math.floor(deps.now() / 1000),
      }),
    )
    if (result === 'suspect') return
    last = result
    await notePosted(deps.redis, shard, result.last_n)
    deps.observer.posted(result)
    await deps.balanceNotices?.check(result.balances)
    totals.posted += result.posted
    totals.dropped += result.dropped
    totals.rejected += result.rejected
    totals.corrected += result.corrected
    if (result.rejected > 0)
      deps.log.error({ shard, count: result.rejected }, 'Usage events could not be decoded and were written to posting_rejects')
    await correctBalances(deps, shard, result)
    if (result.gap !== undefined) {
      totals.suspect.push(shard)
      await suspectShard(deps, shard, result.gap)
      return
    }
  } while (last.isFull && deps.now() < deadline && signal?.aborted !== true)
  await deps.trim.trim(shard, last)
}

export async function readEntries(redis: Redis, shard: number, afterId: string): Promise<readonly StreamEntry[]> {
  return withTimeout(
    redis.xrange(keys.usage(shard), `(${afterId}`, '+', 'COUNT', BATCH_SIZE),
    READ_TIMEOUT_MS,
    'Redis did not answer a read of the usage stream',
  )
}

/** Redis counted events that Postgres dropped or corrected: sets its sums to what was posted, unless the account has newer events. */
async function correctBalances(
  deps: PostingDeps,
  shard: number,
  { balance_corrections, dropped, corrected, last_n }: BatchResult,
): Promise<void> {
  if (dropped + corrected > 0)
    deps.log.warn({ shard, count: dropped + corrected }, 'Usage events that were already posted were dropped or corrected')
  const applied: BalanceCorrection[] = []
  for (const correction of balance_corrections) {
    if (isApplied(await correctOne(deps.admin, shard, correction, last_n))) applied.push(correction)
  }
  // The other rows stay for the next run: the account has newer events, or Redis did not answer.
  await removeBalanceCorrections(deps.db, { shard, n: last_n, accounts: applied })
}

function correctOne(
  admin: LedgerAdmin,
  shard: number,
  { subject, subject_id, posted, budgets }: BalanceCorrection,
  postedN: number,
): Promise<CorrectionResult> {
  return subject === 'user'
    ? admin.correctWallet({ shard, user_id: subject_id, spent: posted, posted_n: postedN, budgets })
    : admin.correctToken({ shard, token_id: subject_id, charged: posted, posted_n: postedN, budgets })
}

const isApplied = ({ kind }: CorrectionResult): boolean => kind === 'corrected' || kind === 'absent'

/** A shard whose stream has a gap is neither posted nor reserved from until recovery has repaired it. */
async function suspectShard({ db, redis, log, now }: PostingDeps, shard: number, reason: string): Promise<void> {
  await markShardSuspect(db, { shard, reason, now: Math.floor(now() / 1000) })
  await closeFence(redis, shard)
  log.error({ shard, reason }, 'Ledger shard suspect: its stream has a gap; its fence is closed')
}
