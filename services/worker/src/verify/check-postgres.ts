import type { Db, Tx } from '@tollgate/db/connect'
import {
  compareChannels,
  compareCharged,
  compareCredited,
  compareGranted,
  compareLoggedQuota,
  compareLoggedRows,
  compareSpent,
  compareStates,
  compareTokenUse,
  countTroubles,
  listPricedLogs,
  type Comparison,
  type PricedLog,
} from '@tollgate/db/queries/verify'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import type { Finding } from './finding.ts'

const PAGE = 1000

/** Everything that Postgres can be asked alone, in one snapshot, so that posting may go on meanwhile. */
export async function checkPostgres(db: Db): Promise<Finding[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => [
      toFinding('users: credited = Σ wallet entries', 'user', await compareCredited(tx)),
      toFinding('users: spent = Σ roll-up', 'user', await compareSpent(tx)),
      toFinding('tokens: granted = Σ grants', 'token', await compareGranted(tx)),
      toFinding('tokens: charged = Σ roll-up', 'token', await compareCharged(tx)),
      toFinding('tokens: used = Σ roll-up', 'token', await compareTokenUse(tx)),
      toFinding('channels: used = Σ roll-up', 'channel', await compareChannels(tx)),
      toFinding('hours: logged requests = log rows', 'hour', await compareLoggedRows(tx)),
      toFinding('hours: logged quota = Σ log rows', 'hour', await compareLoggedQuota(tx)),
      toFinding('requests: one terminal state', 'request', await compareStates(tx)),
      await checkPrices(tx),
      await checkTroubles(tx),
    ])
}

function toFinding(check: string, subject: string, { looked, mismatches }: Comparison): Finding {
  return { check, looked, differences: mismatches.map(({ id, left, right }) => `${subject} ${id}: ${left} against ${right}`) }
}

/** Every stored charge is what its stored quote and usage give. */
async function checkPrices(tx: Tx): Promise<Finding> {
  const differences: string[] = []
  let looked = 0
  let after = { created_at: 0, id: 0 }
  for (;;) {
    const rows = await listPricedLogs(tx, after, PAGE)
    looked += rows.length
    for (const row of rows) {
      const expected = row.state === 'released' ? 0 : chargeOf(row.quote, row.usage).charge
      if (expected !== row.quota) differences.push(describe(row, expected))
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || last === undefined) return { check: 'charges: as priced again', looked, differences }
    after = { created_at: last.created_at, id: last.id }
  }
}

const describe = ({ id, request_id, quota }: PricedLog, expected: number): string =>
  `log ${id}, request ${request_id}: ${quota} against ${expected}`

async function checkTroubles(tx: Tx): Promise<Finding> {
  const { suspect, rejects } = await countTroubles(tx)
  const differences = suspect.map((shard) => `shard ${shard} is suspect and closed`)
  if (rejects > 0) differences.push(`${rejects} events could not be decoded (posting_rejects)`)
  return { check: 'posting: no shard suspect, nothing rejected', looked: suspect.length + rejects, differences }
}
