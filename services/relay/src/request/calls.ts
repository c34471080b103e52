import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { Attempt, CandidateResult, ModelFallback, RecordedChoice } from '@tollgate/contracts/relay/usage-event'
import type { Lease } from '@tollgate/ledger/limits/shared-limits'
import type { ChannelKey } from './channel-key.ts'
import type { PricedGroup } from './cost-estimate.ts'

/** The calls of one request to channels: how they were chosen, and how far the last one came. */
export type Calls = {
  /** The group and model that serve the request and whose prices it is charged by; others than the admitted ones after a move. */
  readonly group: Pick<PricedGroup, 'group' | 'model' | 'costEstimate'>
  /** Models of the chain that did not serve the request. */
  readonly passed: ModelFallback['passed']
  /** Leases in the limits of group, model and channel; returned with the settlement. */
  readonly leases: readonly Lease[]
  /** Id that the requests of one conversation or realtime session share; undefined where it is not known. */
  readonly session: string | undefined
  /** A rule of affinity forbids retries on other channels once the conversation's own was called. */
  readonly stays_on_channel: boolean
  /** Record of the choice among the candidates; undefined before the first choice. */
  readonly choice: RecordedChoice | undefined
  readonly candidates: readonly CandidateResult[]
  readonly attempts: readonly Attempt[]
  /** The channel and key of the last attempt. */
  readonly channel: ChannelSnapshot | undefined
  readonly channelKey: ChannelKey | undefined
  /** That key in clear text, which is removed from what its vendor says. */
  readonly vendorKey: string
  readonly upstream_model: string
  readonly reasoning_effort: string | undefined
  /** Parts that the conversion of the last attempt could not carry. */
  readonly warnings: readonly string[]
  /** The last attempt's answer is converted from another format. */
  readonly is_converted: boolean
  /** The client left a call that upstream had accepted: it owes the prompt (ADR 12). */
  readonly owes_prompt: boolean
}

/** The same while channels are tried. */
export type RunningCalls = { -readonly [K in Exclude<keyof Calls, 'attempts'>]: Calls[K] } & { readonly attempts: Attempt[] }
