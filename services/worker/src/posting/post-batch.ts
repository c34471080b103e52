import type { Tx } from '@tollgate/db/connect'
import { limitLockWait } from '@tollgate/db/lock-timeout'
import {
  addChannelUsage,
  addSpending,
  addTokenSpending,
  addUsageHours,
  insertLogs,
  insertPostingRejects,
  isConsumeLogged,
  lockPostingCursor,
  updatePostingCursor,
  type PostedBalance,
  type PostingCursor,
} from '@tollgate/db/queries/ledger/posting'
import { listBalanceCorrections, addBalanceCorrections, type BalanceCorrection } from '@tollgate/db/queries/wallet/balance-corrections'
import { addWindowSpending } from '@tollgate/db/queries/tokens/budgets'
import { findOlder, type RememberedPosition } from '@tollgate/ledger/recovery/store-position'
import { postTasks, refundEndedTasks } from './post-tasks.ts'
import { claimEvents } from './claim-events.ts'
import { toLogRow } from './log-row.ts'
import { decodeEntry, type DecodedEntry, type PostedEvent, type StreamEntry } from './posted-event.ts'
import { sumBatch } from './sum-batch.ts'

export const BATCH_SIZE = 1000

export type BatchInput = {
  readonly shard: number
  /** Reads at most BATCH_SIZE entries after a stream id. */
  readonly read: (afterId: string) => Promise<readonly StreamEntry[]>
  readonly nowSeconds: number
  /** Where Redis saw the log of Postgres, read before this transaction began. */
  readonly remembered?: RememberedPosition | undefined
}

/** This Postgres is not the one that Redis knows, or is behind it: a primary that was replaced, or a copy from before. */
export class OlderPostgres extends Error {}

export type BatchResult = {
  readonly posted: number
  readonly dropped: number
  readonly rejected: number
  readonly corrected: number
  readonly last_id: string
  readonly last_n: number
  readonly isFull: boolean
  /** Why the stream is not dense after what was posted (a gap or a step back): the shard is suspect. */
  readonly gap: string | undefined
  /** Accounts whose events were dropped or corrected, now or earlier, and whose balance in Redis was not corrected yet. */
  readonly balance_corrections: readonly BalanceCorrection[]
  /** Balances of the users that this batch charged. */
  readonly balances: readonly PostedBalance[]
}

const MAX_BALANCE_CORRECTIONS = 500
/** A longer wait would block the queue that reaping also uses; the next run follows after a second. */
const LOCK_WAIT_MS = 1000

/**
 * One posting transaction of one shard: locks the cursor, reads, applies, moves the cursor. Idempotent. Fails with a lock timeout when
 * another transaction holds the cursor or one of the accounts for more than a second.
 */
export async function postBatch(tx: Tx, { shard, read, nowSeconds, remembered }: BatchInput): Promise<BatchResult | 'suspect'> {
  const position = await limitLockWait(tx, LOCK_WAIT_MS)
  const older = findOlder(remembered, position)
  if (older !== undefined) throw new OlderPostgres(older)
  const cursor = await lockPostingCursor(tx, shard)
  if (cursor.is_suspect) return 'suspect'
  const entries = (await read(cursor.last_id)).map(decodeEntry)
  const { dense, gap } = takeDense(entries, cursor.last_n)
  const last_n = cursor.last_n + dense.length
  const applied = await applyEntries(tx, dense, { cursor, last_n, nowSeconds })
  return { ...applied, isFull: entries.length >= BATCH_SIZE, gap }
}

/** The same for a suspect shard under repair: posts every event, gaps or not; `missing` counts the numbers without an event. */
export async function postSuspectBatch(
  tx: Tx,
  { shard, read, nowSeconds }: BatchInput,
): Promise<BatchResult & { readonly missing: number }> {
  const cursor = await lockPostingCursor(tx, shard)
  const entries = (await read(cursor.last_id)).map(decodeEntry)
  const numbers = new Set(entries.map(nOf).filter((n) => n !== null && n > cursor.last_n))
  const last_n = Math.max(cursor.last_n, ...entries.map((entry) => nOf(entry) ?? 0))
  const applied = await applyEntries(tx, entries, { cursor, last_n, nowSeconds })
  return { ...applied, isFull: entries.length >= BATCH_SIZE, gap: undefined, missing: last_n - cursor.last_n - numbers.size }
}

type Applied = Omit<BatchResult, 'isFull' | 'gap'>
type Move = { readonly cursor: PostingCursor; readonly last_n: number; readonly nowSeconds: number }

async function applyEntries(tx: Tx, entries: readonly DecodedEntry[], { cursor, last_n, nowSeconds }: Move): Promise<Applied> {
  const { shard } = cursor
  const events = entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []))
  const rejects = entries.flatMap((entry) => (entry.kind === 'reject' ? [entry] : []))
  const claimed = await claimEvents(tx, events)
  const balances = await applyEvents(tx, shard, claimed.events)
  await insertPostingRejects(
    tx,
    rejects.map(({ stream_id, n, raw, reason }) => ({ shard, stream_id, n, raw, reason, created_at: nowSeconds })),
  )
  const last = entries.at(-1)
  const last_id = last === undefined ? cursor.last_id : idOf(last)
  if (last !== undefined) await updatePostingCursor(tx, { shard, last_id, last_n, now: nowSeconds })
  await addBalanceCorrections(tx, { shard, n: last_n, accounts: accountsOf([...claimed.dropped, ...claimed.corrected]) })
  return {
    posted: claimed.events.length,
    dropped: claimed.dropped.length,
    rejected: rejects.length,
    corrected: claimed.corrected.length,
    last_id,
    last_n,
    balances,
    balance_corrections: await listBalanceCorrections(tx, shard, MAX_BALANCE_CORRECTIONS),
  }
}

/** The entries before the first whose n is not the next number. An entry without a readable n counts as the next. */
function takeDense(entries: readonly DecodedEntry[], lastN: number): { dense: DecodedEntry[]; gap: string | undefined } {
  const dense: DecodedEntry[] = []
  for (const entry of entries) {
    const expected = lastN + dense.length + 1
    const n = nOf(entry) ?? expected
    if (n !== expected) return { dense, gap: `entry ${idOf(entry)} has n ${n} instead of ${expected}` }
    dense.push(entry)
  }
  return { dense, gap: undefined }
}

const nOf = (entry: DecodedEntry): number | null => (entry.kind === 'event' ? entry.event.n : entry.n)
const idOf = (entry: DecodedEntry): string => (entry.kind === 'event' ? entry.event.stream_id : entry.stream_id)

async function applyEvents(tx: Tx, shard: number, events: readonly PostedEvent[]): Promise<PostedBalance[]> {
  if (events.length === 0) return []
  const isLogged = await isConsumeLogged(tx)
  const sums = sumBatch(events, { isLogged })
  if (isLogged) await insertLogs(tx, events.map(toLogRow))
  // Before the accounts, as in the transactions of pollers: the same order of locks.
  const tasks = await postTasks(tx, events)
  await addUsageHours(tx, sums.hours)
  const balances = await addSpending(tx, sums.users)
  await addTokenSpending(tx, sums.tokens)
  await addChannelUsage(tx, shard, sums.channels)
  await addWindowSpending(tx, sums.windows)
  await refundEndedTasks(tx, tasks)
  return balances
}

function accountsOf(events: readonly PostedEvent[]): { subject: 'user' | 'token'; subject_id: number }[] {
  const users = new Set(events.map((event) => event.user_id))
  const tokens = new Set(events.map((event) => event.token_id).filter((id) => id > 0))
  return [
    ...[...users].map((subject_id) => ({ subject: 'user' as const, subject_id })),
    ...[...tokens].map((subject_id) => ({ subject: 'token' as const, subject_id })),
  ]
}
