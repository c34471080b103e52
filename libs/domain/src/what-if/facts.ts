import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { ModelFallbacks } from '@tollgate/contracts/relay/model-fallbacks'
import type { CostFigure } from '../channel-choice/preference.ts'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'

/** Facts beside the records: of the present configuration, and of all calls of the replayed time. */
export type WhatIfFacts = {
  /** Part of the calls of a channel for a model that failed; undefined: none was observed. */
  readonly failureRateOf: (channel_id: number, model: string) => number | undefined
  /** Milliseconds that a channel takes to answer. */
  readonly latencyOf: (channel_id: number, model: string) => number | undefined
  /** The vendor's price by the price of this site, in the candidate configuration. */
  readonly costRatioOf: (channel_id: number, model: string) => number
  /** The cost of a channel's useful tokens now, with the cost ratio of the candidate configuration. */
  readonly costOf: (channel_id: number, model: string) => CostFigure
  /** The channels of a group that have a model, disabled ones included. */
  readonly channelsOf: (group: string, model: string) => readonly ChannelSnapshot[]
  /** Option `ModelFallbacks`. */
  readonly fallbacks: ModelFallbacks
}

/** The part of a recorded request that a replay reads. */
export type RecordedRequest = {
  /** The group that it was charged in, and the model that served it. */
  readonly group: string
  readonly model: string
  /** The path that the client called. */
  readonly path: string
  readonly explanation: Pick<Explanation, 'attempts' | 'candidates' | 'choice' | 'is_cut' | 'fallback'>
}
