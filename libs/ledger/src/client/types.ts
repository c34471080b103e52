import type { Limits } from '@tollgate/contracts/relay/limits'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { Quota, UnixMillis } from '@tollgate/contracts/units'
import type { BudgetTaken, CountedBudget } from './budget-args.ts'

/** A relay's request for a hold. All amounts are quota. */
export type ReserveInput = {
  readonly shard: number
  /** Made by the relay, never taken from a header; starts with the UTC day yyyymmdd. */
  readonly request_id: string
  readonly user_id: number
  /** 0: charge only the wallet (playground). */
  readonly token_id: number
  readonly user_auth: number
  readonly token_auth: number
  /** UUID that the relay process generates when it starts. */
  readonly relay_id: string
  /** Amount to hold. */
  readonly want: Quota
  /** When `want` does not fit but this does, everything left is held. Equal to `want` when the request sets max_tokens. */
  readonly least: Quota
  /** Redis TIME in ms after which the script takes nothing. */
  readonly not_after: UnixMillis
  /** Request windows of the user; absent: off. */
  readonly windows: readonly RequestWindow[]
  /** Limits of user and token; absent when neither has limits. */
  readonly limits?: OwnLimits
  /** Budgets of the token and the user; absent when there are none. */
  readonly budgets?: readonly CountedBudget[]
  /** JSON from which the usage event is finalized if the relay cannot do it (finalize-event.ts). */
  readonly pendingEvent: string
}

/** Limits in the user's shard, taken in the same step as the hold. */
export type OwnLimits = {
  readonly user: Limits
  readonly token: Limits
  /** Estimated tokens of prompt and answer. A limit below it is taken as a whole. */
  readonly tokens: number
}

/** The remainder of one limit, for response headers. `reset_ms`: time until none of it is in use. */
export type LimitLeft = { readonly limit: number; readonly remaining: number; readonly reset_ms: number }
export type LimitState = { readonly requests?: LimitLeft; readonly tokens?: LimitLeft }

/** The exhausted limit: requests or tokens per minute, or open requests. */
export type LimitedBy = 'requests' | 'tokens' | 'concurrency'

export type RequestWindow = {
  /** Both count at reserve; a request that fails gives its place in `success` back at settle. */
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
      /** In the order of the budgets asked for; absent when the hold was taken before. */
      readonly taken?: readonly BudgetTaken[]
    }
  | {
      readonly kind: 'budget-short'
      /** Place of the budget in those asked for. */
      readonly index: number
      readonly spent: Quota
      /** The quota that open requests hold of it. */
      readonly held: Quota
    }
  | {
      readonly kind: 'user-short' | 'token-short'
      readonly spendable: Quota
      /** Amount that open requests hold, and their number; 0: nothing, or not counted. */
      readonly held: Quota
      readonly open: number
    }
  | { readonly kind: 'limited'; readonly window: 'total' | 'success'; readonly retry_after_ms: number }
  | {
      readonly kind: 'over-limit'
      readonly of: 'user' | 'token'
      readonly by: LimitedBy
      readonly retry_after_ms: number
      readonly limits: readonly LimitState[]
    }
  | { readonly kind: 'cold' | 'stale' | 'backlog' | 'closed' | 'too-late' | 'duplicate' }
  /** The window of a budget ended before the call: ask again with the next one. */
  | { readonly kind: 'window-over' }
  /** Redis did not answer: the hold may or may not exist. */
  | { readonly kind: 'unavailable'; readonly cause: unknown }

export type SettleInput = {
  readonly shard: number
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number
  /** 0 releases. */
  readonly charge: Quota
  /** From the answer of reserve, so that an orphan charges the same wallet and token. */
  readonly wallet_held: Quota
  readonly token_held: Quota
  readonly epoch: number
  /** Length of the `success` window; 0: none; below 0: the request gives its place in it back. */
  readonly success_window_ms: number
  /** The limits that reserve took from and the tokens used: frees the slots and corrects the minute. */
  readonly limits?: OwnLimits & { readonly used: number }
  /** The windows that counted the request (`settleBudgets`). */
  readonly budgets?: string
  /** The text of a UsageEventBody. */
  readonly body: string
}

export type SettleResult =
  /** The event's number and its epoch. */
  | { readonly kind: 'settled' | 'late' | 'orphan'; readonly n: number; readonly epoch: number }
  | { readonly kind: 'already' | 'cold' | 'closed' }
  | { readonly kind: 'unavailable'; readonly cause: unknown }

/** Progress of an open request; each heartbeat writes it for requests open for more than 1 s. */
export type Progress = {
  readonly request_id: string
  readonly shard: number
  readonly is_delivered: boolean
  /** Usage that upstream reported so far, else counted from delivered content. */
  readonly usage: Usage
  readonly channel_id: number
  readonly channel_name: string
  readonly channel_type: number
  readonly upstream_model: string
  readonly first_token_ms: number
  /** Present when the request left the group or model of its pending event: the group, model and prices that count now. */
  readonly moved?: { readonly group: string; readonly model?: string | undefined; readonly quote: Quote } | undefined
}

export type Ledger = {
  reserve(input: ReserveInput): Promise<ReserveResult>
  settle(input: SettleInput): Promise<SettleResult>
}

/** The relay's bounded local queue in front of `settle`. */
export type SettleQueue = {
  /** Takes one slot at admission; false when the queue is full (the relay answers 503). */
  takeSlot(): boolean
  /** Frees the slot of a request that took no hold. */
  freeSlot(): void
  /** Settles a request. Resolves with 'queued' after `wait_ms`, while the queue continues to retry. Frees the slot when done. */
  settle(input: SettleInput, wait_ms?: number): Promise<SettleResult | { readonly kind: 'queued' }>
  readonly size: number
  /** Retries until the queue is empty or the deadline passes, then writes the rest to disk. For a graceful stop. */
  drain(deadline_ms: number): Promise<{ readonly left: number }>
  /** Settles what earlier processes left on disk; resolves with the number settled. */
  replay(): Promise<number>
}

export type Heartbeat = {
  readonly relay_id: string
  /** True once a server of the ledger has answered a heartbeat. */
  hasAnswered(): boolean
  /** Redis TIME (ms) of the server of this shard now, estimated from the last heartbeat and the monotonic clock. */
  redisNow(shard: number): UnixMillis
  /** Its Redis TIME (ms) at the last heartbeat + 2 s: the `not_after` of reserve. */
  notAfter(shard: number): UnixMillis
  /** Sends a heartbeat now, or joins the running one. `notAfter` moves on if Redis answers. Never rejects. */
  refresh(): Promise<void>
  /**
   * Remembers a reserve that Redis did not answer in time. Its request is refused, but Redis may still have taken the hold: after
   * `not_after` a heartbeat checks it and releases the hold.
   */
  noteUnconfirmed(reserve: { readonly shard: number; readonly request_id: string }): void
  /** False after 30 s without a heartbeat to the server of this shard: the relay must not dispatch new requests. */
  isAlive(shard: number): boolean
  stop(): Promise<void>
}
