import type { Quota } from '@tollgate/contracts/units'
import type { TokenState, WalletState } from '../accounts/ledger-admin.ts'

/** Position up to which a shard is posted. */
export type PostedCursor = {
  readonly shard: number
  readonly last_id: string
  readonly last_n: number
  readonly is_suspect: boolean
  readonly suspect_reason: string
}

/** Posted amounts of one request, all its events together. */
export type PostedRequest = {
  readonly request_id: string
  /** Only the reaper's charge was posted: one correction may follow. */
  readonly isReapedOnly: boolean
  readonly charge: Quota
}

/** Queries of recovery while it holds a shard's cursor row. */
export type PostedShard = {
  /** The requests among these for which an event was posted. */
  listPosted(requestIds: readonly string[]): Promise<readonly PostedRequest[]>
  listWallets(userIds: readonly number[]): Promise<readonly WalletState[]>
  listTokens(tokenIds: readonly number[]): Promise<readonly TokenState[]>
  clearSuspicion(): Promise<void>
  /** Posting sets the sums of these accounts in Redis to the posted ones as soon as none of their events is missing there. */
  correctLater(accounts: readonly { readonly subject: 'user' | 'token'; readonly subject_id: number }[]): Promise<void>
}

/**
 * Position of Postgres' write-ahead log. It only rises while `store` is the same; a restored copy, or a replica promoted without the
 * last commits, has a smaller position or another store.
 */
export type StorePosition = { readonly store: string; readonly at: bigint }

/** The queries that recovery needs from Postgres. */
export type PostedLedger = {
  /** The position and the cursors of these shards, from one statement. */
  read(shards: readonly number[]): Promise<{ readonly position: StorePosition; readonly cursors: readonly PostedCursor[] }>
  /** Runs `work` while holding the shard's cursor row; its writes are committed when this resolves. */
  withCursor<T>(shard: number, work: (cursor: PostedCursor, shard: PostedShard) => Promise<T>): Promise<T>
  /** Marks a shard as suspect, so that posting skips it. Returns the cursor from before. */
  suspect(shard: number, reason: string): Promise<PostedCursor>
  /** Posts what a suspect shard's stream has after the cursor, gaps or not, then raises the cursor's n to at least `redisN`. */
  postRest(shard: number, redisN: number): Promise<{ readonly missing: number }>
}
