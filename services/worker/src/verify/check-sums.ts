import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  allowLargeSorts,
  compareChannels,
  compareCharged,
  compareCorrections,
  compareCredited,
  compareGranted,
  compareInvites,
  compareKeys,
  compareKinds,
  compareLogged,
  compareSpent,
  compareStates,
  compareTasks,
  compareTokenUse,
  countRequests,
  countProblems,
  type Comparison,
} from '@tollgate/db/queries/verify'
import { Tally } from '@tollgate/ledger/verify/tally'

type Limits = { readonly now: number; readonly maxLagSeconds: number }

/** Compares every sum that Postgres keeps twice, in one snapshot, so that posting can continue. `now` in unix seconds. */
export async function checkSums(db: Db, { now, maxLagSeconds }: Limits, signal?: AbortSignal): Promise<LedgerCheck[]> {
  let requests = 0
  const comparisons: readonly (readonly [check: string, subject: string, compare: (tx: Tx) => Promise<Comparison>])[] = [
    ['users: credited = Σ wallet entries', 'user', compareCredited],
    ['users: invites and earnings = Σ rewards', 'user', compareInvites],
    ['users: spent = Σ rollup', 'user', compareSpent],
    ['tokens: granted = Σ grants', 'token', compareGranted],
    ['tokens: charged = Σ rollup', 'token', compareCharged],
    ['tokens: used = Σ rollup', 'token', compareTokenUse],
    ['channels: used = Σ rollup', 'channel', compareChannels],
    ['hours: logged requests and quota = log rows', 'hour', compareLogged],
    ['requests: one terminal state', 'request', (tx) => compareStates(tx, requests)],
    ['requests: state, type and price parts fit', 'request', (tx) => compareKinds(tx, requests)],
    ['requests: charge = claimed charge', 'request', (tx) => compareKeys(tx, now)],
    ['requests: every correction has its request', 'request', compareCorrections],
    ['tasks: refunds fit their ends', 'task', compareTasks],
  ]
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await allowLargeSorts(tx)
      requests = await countRequests(tx)
      const checks: LedgerCheck[] = []
      for (const [check, subject, compare] of comparisons) {
        signal?.throwIfAborted()
        checks.push(toCheck(check, subject, await compare(tx)))
      }
      return [...checks, await checkPosting(tx, now - maxLagSeconds)]
    })
}

function toCheck(check: string, subject: string, { looked, differences, mismatches }: Comparison): LedgerCheck {
  return { check, looked, differences, first: mismatches.map(({ id, left, right }) => `${subject} ${id}: ${left} against ${right}`) }
}

async function checkPosting(tx: Tx, before: number): Promise<LedgerCheck> {
  const tally = new Tally('posting: no suspect shard, no reject, no overdue change')
  const { suspect, rejects, overdue } = await countProblems(tx, before)
  tally.look(suspect.length + rejects + overdue.length)
  tally.differ(suspect.map((shard) => `shard ${shard} is suspect and closed`))
  if (rejects > 0) tally.differ([`${rejects} events could not be decoded (posting_rejects)`], rejects - 1)
  tally.differ(overdue.map(({ id, subject, subject_id }) => `${subject} ${subject_id}: a change has not reached Redis (outbox row ${id})`))
  return tally.result()
}
