import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import type { RequestLimits } from '@tollgate/domain/rate-limit/request-limits'
import type { LimitWindow } from '@tollgate/domain/rate-limit/windows'

/** The group, channels and limits of an admitted request. */
export type Admission = {
  readonly group: string
  /** All channels of the group for the model, including disabled ones; only the pinned channel if the key names one. */
  readonly channels: readonly ChannelSnapshot[]
  readonly is_pinned: boolean
  /** Processing tiers of the request; absent: none, as almost always. */
  readonly tiers?: readonly string[]
  readonly windows: readonly LimitWindow[]
  readonly limits: RequestLimits
  /** Budgets that count the request; empty: none, as for most. */
  readonly budgets: readonly BudgetRule[]
  /** Where a token with `cross_group_retry` moves on when this group cannot serve the request, in order. */
  readonly next_groups?: readonly NextGroup[]
}

/** A later group of an automatic token that has the model. */
export type NextGroup = Pick<Admission, 'group' | 'channels' | 'tiers' | 'limits'>
