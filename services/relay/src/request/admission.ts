import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { FallbackSource } from '@tollgate/contracts/relay/model-fallbacks'
import type { ModelFallback } from '@tollgate/contracts/relay/usage-event'
import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import type { RequestLimits } from '@tollgate/domain/rate-limit/request-limits'
import type { LimitWindow } from '@tollgate/domain/rate-limit/windows'

/** The group, channels and limits of an admitted request. */
export type Admission = {
  readonly group: string
  /** The requested model, or the first of its chain that can be admitted. */
  readonly model: string
  /** All channels of the group for the model, including disabled ones; only the pinned channel if the key names one. */
  readonly channels: readonly ChannelSnapshot[]
  readonly is_pinned: boolean
  /** Processing tiers of the request; absent: none, as almost always. */
  readonly tiers?: readonly string[]
  readonly windows: readonly LimitWindow[]
  readonly limits: RequestLimits
  /** Budgets that count the request; empty: none, as for most. */
  readonly budgets: readonly BudgetRule[]
  /** Present if other models may answer in place of the requested one. */
  readonly chain?: ModelChain & { readonly passed: ModelFallback['passed'] }
  /** Where the request moves on when this group cannot serve it, in order: later groups of its token, then the next models. */
  readonly next_groups?: readonly NextGroup[]
}

/** The chain of a request. */
export type ModelChain = {
  readonly asked: string
  readonly by: FallbackSource
  /** The models after the requested one. */
  readonly models: readonly string[]
  /** The model that answered the conversation before; it is tried first. */
  readonly kept?: string | undefined
  /** Names the conversation; undefined: it has no name. */
  readonly conversation?: number | undefined
}

/** A later group with a model that can serve the request. */
export type NextGroup = Pick<Admission, 'group' | 'model' | 'channels' | 'tiers' | 'limits'>
