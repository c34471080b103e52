import type { Limits } from '@tollgate/contracts/limits'
import type { Usage } from '@tollgate/contracts/quote'
import type { Quota, UnixMillis } from '@tollgate/contracts/units'

/** One request's hold, as the relay asks for it. All amounts are quota. */
export type ReserveInput = {
  readonly shard: number
  /** Made by the relay, never taken from a header; starts with the UTC day yyyymmdd. */
  readonly request_id: string
  readonly user_id: number
  /** 0: the wallet alone (playground). */
  readonly token_id: number
  readonly user_auth: number
  readonly token_auth: number
  /** uuid of the relay process's boot. */
  readonly relay_id: string
  /** What the hold should be. */
  readonly want: Quota
  /** When `want` does not fit but this does, everything left is held. Equal to `want` when the client gave max_tokens. */
  readonly least: Quota
  /** Redis TIME in ms after which nothing may be taken any more. */
  readonly not_after: UnixMillis
  /** Request windows of the user; absent: off. */
  readonly windows: readonly RequestWindow[]
  /** Limits of user and token; absent where neither has any. */
  readonly limits?: OwnLimits
  /** The usage event's body as it would read if nothing came back (JSON of UsageEventBody): what a reaper completes. */
  readonly pendingEvent: string
}

/** Limits that are taken from in the user's own shard, in the same step as the hold. */
export type OwnLimits = {
  readonly user: Limits
  readonly token: Limits
  /** The request's estimate: prompt and what the answer may be. A limit below it is taken as a whole. */
  readonly tokens: number
}

/** How much of one limit is left; what headers tell. `reset_ms`: until nothing of it is in use. */
export type LimitLeft = { readonly limit: number; readonly remaining: number; readonly reset_ms: number }
export type LimitState = { readonly requests?: LimitLeft; readonly tokens?: LimitLeft }

/** What ran out: requests or tokens of the minute, or places for open requests. */
export type LimitedBy = 'requests' | 'tokens' | 'concurrency'

export type RequestWindow = {
  /** `total` counts at reserve, `success` is checked at reserve and counted at settle when the request succeeded. */
  readonly name: 'total' | 'success'
  readonly max: number
  readonly window_ms: number
}

export type ReserveResult =
  | {
      readonly kind: 'held'
      readonly wallet_held: Quota
      readonly token_held: Quota
      readonly epoch: number
      readonly spendable: Quota
      readonly limits?: readonly LimitState[]
    }
  | { readonly kind: 'user-short' | 'token-short'; readonly spendable: Quota }
  | { readonly kind: 'limited'; readonly window: 'total' | 'success'; readonly retry_after_ms: number }
  | {
      readonly kind: 'over-limit'
      readonly of: 'user' | 'token'
      readonly by: LimitedBy
      readonly retry_after_ms: number
      readonly limits: readonly LimitState[]
    }
  | { readonly kind: 'cold' | 'stale' | 'backlog' | 'closed' | 'too-late' | 'duplicate' }
  /** Redis did not answer in time or is gone: nothing is known to be held. */
  | { readonly kind: 'unavailable'; readonly cause: unknown }

export type SettleInput = {
  readonly shard: number
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number
  /** 0 releases. */
  readonly charge: Quota
  /** As reserve answered, so that an orphan charges wallet and token alike. */
  readonly wallet_held: Quota
  readonly token_held: Quota
  readonly epoch: number
  /** Counts in the `success` window when set. */
  readonly success_window_ms: number
  /** The limits reserve took from, and the tokens that were used: slots come back, the minute is corrected. */
  readonly limits?: OwnLimits & { readonly used: number }
  /** JSON of UsageEventBody. */
  readonly body: string
}

export type SettleResult =
  /** The event's number, and the epoch it was given in. */
  | { readonly kind: 'settled' | 'late' | 'orphan'; readonly n: number; readonly epoch: number }
  | { readonly kind: 'already' | 'cold' | 'closed' }
  | { readonly kind: 'unavailable'; readonly cause: unknown }

/** How far an open request has come; written with each beat for requests open for over 1 s. */
export type Progress = {
  readonly request_id: string
  readonly shard: number
  readonly is_delivered: boolean
  /** What upstream reported so far, else what was counted from delivered content. */
  readonly usage: Usage
  readonly channel_id: number
  readonly channel_name: string
  readonly channel_type: number
  readonly upstream_model: string
  readonly first_token_ms: number
}

export type Ledger = {
  reserve(input: ReserveInput): Promise<ReserveResult>
  settle(input: SettleInput): Promise<SettleResult>
}

/** The relay's bounded local queue in front of `settle` (`ledger.md` section 4.2). */
export type SettleQueue = {
  /** Takes one slot at admission; false when the queue is full (answer 503). */
  takeSlot(): boolean
  /** Gives a slot back that never came to a hold. */
  freeSlot(): void
  /** Settles; answers within `wait_ms` at the latest with 'queued' while the queue goes on trying. Frees the slot when done. */
  settle(input: SettleInput, wait_ms?: number): Promise<SettleResult | { readonly kind: 'queued' }>
  readonly size: number
  /** Tries until empty or the deadline, then writes what is left to disk. For a graceful stop. */
  drain(deadline_ms: number): Promise<{ readonly left: number }>
  /** Reads what an earlier process left on disk and settles it. */
  replay(): Promise<number>
}

/** The relay's heartbeat (`ledger.md` section 4.4). */
export type Heartbeat = {
  readonly relay_id: string
  /** Redis TIME (ms) estimated now, from the last beat and the own monotonic clock. */
  redisNow(): UnixMillis
  /** Redis TIME (ms) at the last beat + 2 s: what reserve may use as `not_after`. */
  notAfter(): UnixMillis
  /** Beats now, or joins the beat under way: notAfter is new where Redis answered. Never rejects. */
  refresh(): Promise<void>
  /**
   * Redis did not answer this reserve in time, so it may have taken the hold all the same: the request is refused, and once Redis
   * can take it no more, a beat looks and gives the money back.
   */
  noteUnconfirmed(reserve: { readonly shard: number; readonly request_id: string }): void
  /** False after 30 s without a beat: dispatch nothing new. */
  isAlive(): boolean
  stop(): Promise<void>
}
