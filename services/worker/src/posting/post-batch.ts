import type { Tx } from '@tollgate/db/connect'
import { logStoreOf } from '@tollgate/db/log-store'
import { limitLockWait } from '@tollgate/db/lock-timeout'
import {
  addChannelUsage,
  addSpending,
  addTokenSpending,
  addUsageHours,
  insertRequestLogs,
  insertPostingRejects,
  isConsumeLogged,
  lockFreePostingCursors,
  lockPostingCursor,
  updatePostingCursors,
  type PostedBalance,
  type PostingCursor,
  type RejectRow,
} from '@tollgate/db/queries/ledger/posting'
import { listBalanceCorrections, addBalanceCorrections, type BalanceCorrection } from '@tollgate/db/queries/wallet/balance-corrections'
import { addWindowSpending } from '@tollgate/db/queries/tokens/budgets'
import { findOlder, type RememberedPosition } from '@tollgate/ledger/recovery/store-position'
import { postTasks, refundEndedTasks } from './post-tasks.ts'
import { claimEvents, type ClaimedBatch } from './claim-events.ts'
import { countLateCharges } from './count-late-charges.ts'
import { toLogRow, toPackedRow } from './log-row.ts'
import { decodeEntry, type DecodedEntry, type PostedEvent, type StreamEntry } from './posted-event.ts'
import { sumBatch } from './sum-batch.ts'

export const BATCH_SIZE = 1000

type EntriesOf = (cursors: readonly PostingCursor[]) => Promise<readonly (readonly StreamEntry[])[]>

type BatchesInput = {
  readonly shards: readonly number[]
  /** Reads at most BATCH_SIZE entries of each shard after its cursor, in the order of the cursors. */
  readonly read: EntriesOf
  readonly nowSeconds: number
  /** Where Redis saw the log of Postgres, read before this transaction began. */
  readonly remembered?: RememberedPosition | undefined
}

/** The same for one shard, whose entries are read after a stream id. */
type BatchInput = Omit<BatchesInput, 'shards' | 'read'> & {
  readonly shard: number
  readonly read: (afterId: string) => Promise<readonly StreamEntry[]>
}

/** This Postgres is not the one that Redis knows, or is behind it: a primary that was replaced, or a copy from before. */
export class OlderPostgres extends Error {}

/** One shard's part of a posting transaction. */
export type BatchResult = {
  readonly shard: number
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
}

export type PostedBatches = {
  /** Suspect shards, and those that another transaction has locked, are missing. */
  readonly batches: readonly BatchResult[]
  /** Balances of the users that were charged. */
  readonly balances: readonly PostedBalance[]
}

const MAX_BALANCE_CORRECTIONS = 500
/** A longer wait would block the queue that reaping also uses; the next run follows after a second. */
export const LOCK_WAIT_MS = 1000

/**
 * One posting transaction of several shards: locks their cursors, reads, applies, moves the cursors. Idempotent. Fails with a lock timeout
 * when another transaction holds one of the accounts for more than a second.
 */
export async function postBatches(tx: Tx, { shards, read, nowSeconds, remembered }: BatchesInput): Promise<PostedBatches> {
  await refuseOlder(tx, remembered)
  return await postDense(tx, await lockFreePostingCursors(tx, shards), { read, nowSeconds })
}

async function refuseOlder(tx: Tx, remembered: RememberedPosition | undefined): Promise<void> {
  const position = await limitLockWait(tx, LOCK_WAIT_MS)
  const older = findOlder(remembered, position)
  if (older !== undefined) throw new OlderPostgres(older)
}

type DenseInput = Pick<BatchesInput, 'read' | 'nowSeconds'>

async function postDense(tx: Tx, locked: readonly PostingCursor[], { read, nowSeconds }: DenseInput): Promise<PostedBatches> {
  const cursors = locked.filter(({ is_suspect }) => !is_suspect)
  if (cursors.length === 0) return { batches: [], balances: [] }
  const found = await read(cursors)
  const moves = cursors.map((cursor, at) => {
    const entries = (found[at] ?? []).map((entry) => decodeEntry(cursor.shard, entry))
    const { dense, gap } = takeDense(entries, cursor.last_n)
    return { cursor, entries: dense, last_n: cursor.last_n + dense.length, isFull: entries.length >= BATCH_SIZE, gap }
  })
  return await applyMoves(tx, moves, nowSeconds)
}

/** The same for a suspect shard under repair: posts every event, gaps or not; `missing` counts the numbers without an event. */
export async function postSuspectBatch(
  tx: Tx,
  { shard, read, nowSeconds }: BatchInput,
): Promise<{ readonly isFull: boolean; readonly missing: number }> {
  const cursor = await lockPostingCursor(tx, shard)
  const entries = (await read(cursor.last_id)).map((entry) => decodeEntry(shard, entry))
  const numbers = new Set(entries.map(nOf).filter((n) => n !== null && n > cursor.last_n))
  const last_n = Math.max(cursor.last_n, ...entries.map((entry) => nOf(entry) ?? 0))
  const isFull = entries.length >= BATCH_SIZE
  await applyMoves(tx, [{ cursor, entries, last_n, isFull, gap: undefined }], nowSeconds)
  return { isFull, missing: last_n - cursor.last_n - numbers.size }
}

/** Entries of one shard and where its cursor is after them. */
type Move = Pick<BatchResult, 'isFull' | 'gap' | 'last_n'> & { readonly cursor: PostingCursor; readonly entries: readonly DecodedEntry[] }

async function applyMoves(tx: Tx, moves: readonly Move[], nowSeconds: number): Promise<PostedBatches> {
  const entries = moves.flatMap((move) => move.entries)
  const events = entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []))
  const { claimed, balances } = await postEvents(tx, events)
  const rejects = moves.flatMap(({ cursor: { shard }, entries: own }) => own.flatMap((entry) => toRejects(shard, entry, nowSeconds)))
  await insertPostingRejects(tx, rejects)
  const ends = moves.map((move) => ({ move, last_id: lastIdOf(move) }))
  const moved = ends.filter(({ move }) => move.entries.length > 0)
  await updatePostingCursors(
    tx,
    moved.map(({ move: { cursor, last_n }, last_id }) => ({ shard: cursor.shard, last_id, last_n, now: nowSeconds })),
  )
  for (const { cursor, last_n } of moves) {
    const accounts = accountsOf(inShard(cursor.shard, [...claimed.dropped, ...claimed.corrected]))
    await addBalanceCorrections(tx, { shard: cursor.shard, n: last_n, accounts })
  }
  const shards = moves.map(({ cursor }) => cursor.shard)
  const corrections = await listBalanceCorrections(tx, shards, MAX_BALANCE_CORRECTIONS)
  return { batches: ends.map(({ move, last_id }) => toResult(move, { last_id, claimed, rejects, corrections })), balances }
}

type Applied = {
  readonly last_id: string
  readonly claimed: ClaimedBatch
  readonly rejects: readonly { readonly shard: number }[]
  readonly corrections: readonly BalanceCorrection[]
}

function toResult({ cursor: { shard }, last_n, isFull, gap }: Move, { last_id, claimed, rejects, corrections }: Applied): BatchResult {
  return {
    shard,
    posted: inShard(shard, claimed.events).length,
    dropped: inShard(shard, claimed.dropped).length,
    rejected: inShard(shard, rejects).length,
    corrected: inShard(shard, claimed.corrected).length,
    last_id,
    last_n,
    isFull,
    gap,
    balance_corrections: inShard(shard, corrections),
  }
}

const inShard = <T extends { readonly shard: number }>(shard: number, all: readonly T[]): T[] => all.filter((one) => one.shard === shard)

function lastIdOf({ cursor, entries }: Move): string {
  const last = entries.at(-1)
  return last === undefined ? cursor.last_id : idOf(last)
}

function toRejects(shard: number, entry: DecodedEntry, created_at: number): RejectRow[] {
  if (entry.kind !== 'reject') return []
  const { stream_id, n, raw, reason } = entry
  return [{ shard, stream_id, n, raw, reason, created_at }]
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

/** Claims events and applies those that were not posted before. The cursors of their shards are locked. */
export async function postEvents(
  tx: Tx,
  events: readonly PostedEvent[],
): Promise<{ readonly claimed: ClaimedBatch; readonly balances: PostedBalance[] }> {
  const claimed = await claimEvents(tx, events)
  return { claimed, balances: await applyEvents(tx, claimed.events) }
}

async function applyEvents(tx: Tx, events: readonly PostedEvent[]): Promise<PostedBalance[]> {
  if (events.length === 0) return []
  const isLogged = await isConsumeLogged(tx)
  const sums = sumBatch(events, { isLogged })
  if (isLogged) await insertRequestLogs(tx, events.map(logStoreOf(tx) === undefined ? toPackedRow : toLogRow))
  // Before the accounts, as in the transactions of pollers: the same order of locks.
  const tasks = await postTasks(tx, events)
  await addUsageHours(tx, sums.hours)
  const balances = await addSpending(tx, sums.users)
  await addTokenSpending(tx, sums.tokens)
  await addChannelUsage(tx, sums.channels)
  await addWindowSpending(tx, sums.windows)
  await countLateCharges(tx, tasks, events)
  await refundEndedTasks(tx, tasks)
  return balances
}

export function accountsOf(events: readonly PostedEvent[]): { subject: 'user' | 'token'; subject_id: number }[] {
  const users = new Set(events.map((event) => event.user_id))
  const tokens = new Set(events.map((event) => event.token_id).filter((id) => id > 0))
  return [
    ...[...users].map((subject_id) => ({ subject: 'user' as const, subject_id })),
    ...[...tokens].map((subject_id) => ({ subject: 'token' as const, subject_id })),
  ]
}
