import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  allowLargeSorts,
  compareBudgets,
  compareChannels,
  compareCharged,
  compareCorrections,
  compareCredited,
  compareGranted,
  compareInvites,
  compareKeys,
  compareKinds,
  compareLogged,
  compareRefunded,
  compareRefundRows,
  compareSpent,
  compareStates,
  compareTasks,
  compareTokenUse,
  compareUnpostedTasks,
  countRequests,
  countProblems,
  type Comparison,
} from '@tollgate/db/queries/ledger/verify'
import { Tally } from '@tollgate/ledger/verify/tally'

type Limits = {
  /** Unix seconds. */
  readonly now: number
  readonly maxLagSeconds: number
  readonly maxHoldSeconds: number
  /** Usage events that are known to be lost with a Redis store. */
  readonly lostEvents: number
}
type Sums = { readonly checks: readonly LedgerCheck[]; /** Tasks whose usage event was lost. */ readonly uncharged_tasks: number }

/** Compares every sum that Postgres keeps twice, in one snapshot, so that posting can continue. */
export async function checkSums(db: Db, { now, maxLagSeconds, maxHoldSeconds, lostEvents }: Limits, signal?: AbortSignal): Promise<Sums> {
  let requests = 0
  const comparisons: readonly (readonly [check: string, subject: string, compare: (tx: Tx) => Promise<Comparison>])[] = [
    ['users: credited = Σ wallet entries', 'user', compareCredited],
    ['users: invites and earnings = Σ rewards', 'user', compareInvites],
    ['users: spent − refunded = Σ rollup', 'user', compareSpent],
    ['users: refunded = Σ refunds of tasks', 'user', compareRefunded],
    ['tasks: rows of a refunded request sum to what it kept', 'task', (tx) => compareRefundRows(tx, now)],
    ['tokens: granted = Σ grants', 'token', compareGranted],
    ['tokens: charged = Σ rollup', 'token', compareCharged],
    ['tokens: used = Σ rollup', 'token', compareTokenUse],
    ['channels: used = Σ rollup', 'channel', compareChannels],
    ['hours: logged requests and quota = log rows', 'hour', (tx) => compareLogged(tx, now)],
    ['requests: one terminal state', 'request', (tx) => compareStates(tx, requests)],
    ['requests: state, type and price parts fit', 'request', (tx) => compareKinds(tx, requests)],
    ['requests: charge = claimed charge', 'request', (tx) => compareKeys(tx, now)],
    ['budgets: spent in a window = Σ its charges', 'budget', (tx) => compareBudgets(tx, now)],
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
      const unposted = await compareUnpostedTasks(tx, (now - maxHoldSeconds - maxLagSeconds) * 1000)
      checks.push(checkUnpostedTasks(unposted, lostEvents), await checkPosting(tx, now - maxLagSeconds))
      return { checks, uncharged_tasks: unposted.compared - unposted.differences }
    })
}

function toCheck(check: string, subject: string, { compared, differences, mismatches }: Comparison): LedgerCheck {
  return { check, compared, differences, first: mismatches.map(({ id, left, right }) => `${subject} ${id}: ${left} against ${right}`) }
}

/** A task without a charge is no difference if a lost usage event explains it. */
function checkUnpostedTasks({ compared, differences, mismatches }: Comparison, lostEvents: number): LedgerCheck {
  const tally = new Tally('tasks: charged, or their usage event is known to be lost')
  tally.count(compared)
  tally.differ(
    mismatches.map(({ id, right }) => `task ${id}: its request was charged ${right}, the task was not`),
    differences - mismatches.length,
  )
  const free = compared - differences
  if (free > lostEvents) tally.differ([`${free} tasks have no charge, and ${lostEvents} usage events are known to be lost`])
  return tally.result()
}

async function checkPosting(tx: Tx, before: number): Promise<LedgerCheck> {
  const tally = new Tally('posting: no suspect shard, no reject, no overdue change')
  const { suspect, rejects, overdue } = await countProblems(tx, before)
  tally.count(suspect.length + rejects + overdue.length)
  tally.differ(suspect.map((shard) => `shard ${shard} is suspect and closed`))
  if (rejects > 0) tally.differ([`${rejects} events could not be decoded (posting_rejects)`], rejects - 1)
  tally.differ(overdue.map(({ id, subject, subject_id }) => `${subject} ${subject_id}: a change has not reached Redis (outbox row ${id})`))
  return tally.result()
}
