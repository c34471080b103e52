import type { LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import type { Db } from '@tollgate/db/connect'
import { countLostEvents } from '@tollgate/db/queries/repairs'
import { estimateLogs, type Sample } from '@tollgate/db/queries/verify-rows'
import type { Redis } from '@tollgate/redis/connect'
import { isFenceLoaded } from '@tollgate/ledger/recovery/recovery'
import { checkPrices } from './check-prices.ts'
import { checkRedis, type RedisCheck, type RedisLimits } from './check-redis.ts'
import { checkSums } from './check-sums.ts'
import { renderChecks } from '@tollgate/ledger/verify/tally'

export type VerifyInput = {
  readonly db: Db
  readonly redis: Redis
  readonly limits: RedisLimits
  /** About how many charges are priced again; absent: all. */
  readonly sample?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type Verified = {
  readonly verdict: LedgerVerdict
  /** Everything was compared and nothing differs. */
  readonly is_sound: boolean
  /** For people: a table and the first differences. */
  readonly text: string
}

const NOT_COMPARED: RedisCheck = { checks: [], facts: { unposted: 0, open_holds: 0, hot_wallets: 0 } }

/** Compares every sum of the ledger that is kept in two places (ledger.md L4). Changes nothing; safe while everything runs. */
export async function verifyLedger({ db, redis, limits, sample, signal }: VerifyInput): Promise<Verified> {
  const startedAt = Date.now()
  const started_at = Math.floor(startedAt / 1000)
  const { repairs, missing, lost } = await countLostEvents(db)
  const part = await drawSample(db, sample)
  const [sums, prices] = await Promise.all([
    checkSums(db, { now: started_at, maxLagSeconds: limits.maxLagMs / 1000 }, signal),
    checkPrices(db, part, signal),
  ])
  const skipped = (await isFenceLoaded(redis)) ? '' : 'the ledger gate is closed: Redis can be compared when the worker runs'
  const { checks: hot, facts: counts } = skipped === '' ? await checkRedis({ db, redis }, limits, signal) : NOT_COMPARED
  const facts = { ...counts, repaired_shards: repairs, lost_events: missing + lost }
  const checks = [...sums, ...prices, ...hot]
  const differences = checks.reduce((sum, check) => sum + check.differences, 0)
  return {
    verdict: { started_at, duration_ms: Date.now() - startedAt, differences, sample_one_in: part.one_in, checks, facts, skipped },
    is_sound: differences === 0 && skipped === '',
    text: renderChecks(checks, facts) + (skipped === '' ? '' : `Redis was not compared: ${skipped}\n`),
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
