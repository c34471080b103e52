import type { LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import type { Db } from '@tollgate/db/connect'
import { lockPostingCursor } from '@tollgate/db/queries/ledger/posting'
import { countLostEvents } from '@tollgate/db/queries/ledger/repairs'
import { listOwnerWindows } from '@tollgate/db/queries/tokens/budgets'
import { estimateLogs, listShardTokens, listShardUsers, type Sample } from '@tollgate/db/queries/ledger/verify-rows'
import { allShards, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { isFenceOpen } from '@tollgate/ledger/recovery/fence'
import { checkRedis, type PostedShards, type RedisCheck, type RedisLimits } from '@tollgate/ledger/verify/check-redis'
import { checkPrices } from './check-prices.ts'
import { checkSums } from './check-sums.ts'
import { renderChecks } from './render-checks.ts'

export type VerifyInput = {
  readonly db: Db
  readonly redis: LedgerServers
  readonly limits: RedisLimits
  /** Approximate number of charges to price again; absent: all. */
  readonly sample?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type Verified = {
  readonly verdict: LedgerVerdict
  /** Both stores were compared and no difference was found. */
  readonly is_sound: boolean
  /** A table and the first differences, for the terminal. */
  readonly text: string
}

const NOT_COMPARED: RedisCheck = { checks: [], facts: { unposted: 0, open_holds: 0, hot_wallets: 0, corrections: 0 } }

/** Compares every sum of the ledger that is kept in two places (promise L4, docs/ledger.md). Changes nothing; safe while services run. */
export async function verifyLedger({ db, redis, limits, sample, signal }: VerifyInput): Promise<Verified> {
  const startedAt = Date.now()
  const started_at = Math.floor(startedAt / 1000)
  const { repairs, missing, lost } = await countLostEvents(db)
  const part = await drawSample(db, sample)
  const [sums, prices] = await Promise.all([
    checkSums(
      db,
      { now: started_at, maxLagSeconds: limits.maxLagMs / 1000, maxHoldSeconds: limits.maxHoldAgeMs / 1000, lostEvents: missing + lost },
      signal,
    ),
    checkPrices(db, part, signal),
  ])
  const skipped = (await isFenceOpen(redis, allShards(limits.shards)))
    ? ''
    : 'the ledger fence is closed: start the worker, then compare again'
  const { checks: hot, facts: counts } =
    skipped === '' ? await checkRedis({ posted: postedShards(db), redis }, limits, signal) : NOT_COMPARED
  const facts = { ...counts, repaired_shards: repairs, lost_events: missing + lost, uncharged_tasks: sums.uncharged_tasks }
  const checks = [...sums.checks, ...prices, ...hot]
  const differences = checks.reduce((sum, check) => sum + check.differences, 0)
  return {
    verdict: { started_at, duration_ms: Date.now() - startedAt, differences, sample_one_in: part.one_in, checks, facts, skipped },
    is_sound: differences === 0 && skipped === '',
    text: renderChecks(checks, facts) + (skipped === '' ? '' : `Redis was not compared: ${skipped}\n`),
  }
}

function postedShards(db: Db): PostedShards {
  return {
    withLockedShard: (shard, work) =>
      db.transaction().execute(async (tx) => {
        const { last_id, last_n } = await lockPostingCursor(tx, shard)
        await work({
          last_id,
          last_n,
          listUsers: (page) => listShardUsers(tx, { shard, ...page }),
          listTokens: (page) => listShardTokens(tx, { shard, ...page }),
          listBudgets: (of) => listOwnerWindows(tx, of),
        })
      }),
  }
}

async function drawSample(db: Db, size: number | undefined): Promise<Sample> {
  if (size === undefined) return { one_in: 1, offset: 0 }
  const one_in = Math.max(1, Math.floor((await estimateLogs(db)) / size))
  return { one_in, offset: Math.floor(Math.random() * one_in) }
}

export const limitsOf = (env: { SHARDS: number; MAX_HOLD_AGE: number; MAX_POSTING_LAG: number }): RedisLimits => ({
  shards: env.SHARDS,
  maxHoldAgeMs: env.MAX_HOLD_AGE * 1000,
  maxLagMs: env.MAX_POSTING_LAG * 1000,
})
