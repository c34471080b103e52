import type { TaskSubmission } from '@tollgate/contracts/tasks/tasks'
import type { Finish } from '@tollgate/providers/chat/answer-facts'
import type { Admission } from './admission.ts'
import type { Caller } from './caller.ts'
import type { Calls } from './calls.ts'
import type { RequestContext } from './context.ts'
import type { CostEstimate, PricedGroup } from './cost-estimate.ts'
import type { EventOpening } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import type { Hold } from './hold.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { Progress } from './progress.ts'
import type { ResponseOutcome } from './response-outcome.ts'

// The phases of a request. Each contains the one before, and no field is written twice.

export type Identified = { readonly context: RequestContext; readonly caller: Caller }

export type Parsed = Identified & { readonly request: ParsedRequest }

export type Admitted = Parsed & {
  readonly admission: Admission
  readonly costEstimate: CostEstimate
  /** The groups that the hold covers beside the admitted one. */
  readonly next_groups: readonly PricedGroup[]
  /** The part of the usage event that the pending event has too. */
  readonly opening: EventOpening
}

/** A request that holds money. It must end in exactly one settlement. */
export type Held = Admitted & { readonly hold: Hold; readonly progress: Progress }

/** A channel answered, or the relay itself; the calls are over. */
export type Dispatched<Answer> = Held & { readonly calls: Calls; readonly answer: Answer }

/** The client has its answer except for the end, which waits for the settlement. */
export type Delivered = Held &
  ResponseOutcome & {
    readonly calls: Calls
    readonly is_stream: boolean
    readonly first_token_ms: number
    readonly raw_usage: string | undefined
    /** How the answer ended, if it says so. */
    readonly finish?: Finish | undefined
    /** Parts of the client's request or its answer that were not carried. */
    readonly warnings: readonly string[]
    /** The work that the vendor accepted and that outlives the request. */
    readonly task?: TaskSubmission
  }

/** An error for the client as the log shows it. */
export type ShownError = {
  readonly status: number
  readonly code: string
  readonly type: string | undefined
  readonly message: string
  readonly isUpstream: boolean
}

/** Every way to end: with an answer, complete or broken off; with an error instead; without a client before there was an answer. */
export type Ended =
  | { readonly kind: 'delivered'; readonly delivered: Delivered }
  | { readonly kind: 'failed'; readonly failed: Held; readonly by: ShownError }
  | { readonly kind: 'abandoned'; readonly failed: Held }
