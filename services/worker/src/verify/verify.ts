import type { Db } from '@tollgate/db/connect'
import type { Redis } from '@tollgate/redis/connect'
import { checkPostgres } from './check-postgres.ts'
import { checkRedis } from './check-redis.ts'
import { renderFindings } from './finding.ts'

export type Verdict = { readonly isSound: boolean; readonly text: string }

/** Compares every sum of the ledger that is kept in two places (ledger.md L4). Changes nothing; safe while everything runs. */
export async function verifyLedger(deps: { db: Db; redis: Redis; shards: number; maxHoldAgeMs: number }): Promise<Verdict> {
  const postgres = await checkPostgres(deps.db)
  const { findings, facts } = await checkRedis(deps.db, deps.redis, deps)
  const all = [...postgres, ...findings]
  return { isSound: all.every(({ differences }) => differences.length === 0), text: renderFindings(all, facts) }
}
