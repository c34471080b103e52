import type { Quota } from '@tollgate/contracts/units'
import type { TokenState, WalletState } from '../accounts/ledger-admin.ts'

/** How far Postgres says a shard was posted. */
export type PostedCursor = {
  readonly shard: number
  readonly last_id: string
  readonly last_n: number
  readonly is_suspect: boolean
  readonly suspect_reason: string
}

/** What was posted of one request: all its events together. */
export type PostedRequest = {
  readonly request_id: string
  /** The reaper's charge alone was posted: one correction may still follow. */
  readonly isReapedOnly: boolean
  readonly charge: Quota
}

/** Postgres as the keeper asks it while it holds a shard's cursor row. */
export type PostedShard = {
  /** Of these requests, those of which anything was posted. */
  listPosted(requestIds: readonly string[]): Promise<readonly PostedRequest[]>
  listWallets(userIds: readonly number[]): Promise<readonly WalletState[]>
  listTokens(tokenIds: readonly number[]): Promise<readonly TokenState[]>
  clearSuspicion(): Promise<void>
}

/**
 * Where Postgres' own log stands. It only rises while `store` is the same; a copy that was put back, or a replica that took over
 * without the last commits, shows a smaller one or another store.
 */
export type StorePosition = { readonly store: string; readonly at: bigint }

/** Postgres as the keeper needs it; the worker has it, tests have their own. */
export type PostedLedger = {
  position(): Promise<StorePosition>
  listCursors(shards: readonly number[]): Promise<readonly PostedCursor[]>
  /** Runs while it holds the shard's cursor row; what it wrote is committed when it resolves. */
  withCursor<T>(shard: number, work: (cursor: PostedCursor, shard: PostedShard) => Promise<T>): Promise<T>
  /** Marks a shard: nobody posts it until the mark is gone. Answers the cursor as it was. */
  suspect(shard: number, reason: string): Promise<PostedCursor>
  /** Posts what a marked shard's stream has behind the cursor, dense or not; the cursor's n is at least `redisN` then. */
  postRest(shard: number, redisN: number): Promise<{ readonly missing: number }>
}
