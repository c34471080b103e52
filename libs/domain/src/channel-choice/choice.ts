import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CandidateVerdict } from '@tollgate/contracts/usage-event'
import type { BreakerState } from '../channel-health/breaker.ts'

type Verdict = CandidateVerdict['verdict']
/** Reasons from outside this folder: limits, and what we cannot speak yet. */
export type SkipReason = Extract<Verdict, 'limit-reached' | 'unsupported'>

/** Ids of a channel's keys; a channel with one key has the id ''. */
export type KeyIds = readonly string[]
export const ONE_KEY: KeyIds = ['']

export type ChoiceInput = {
  /** All channels of the group and model, whatever their status. */
  readonly channels: readonly ChannelSnapshot[]
  /** Ids of the keys that this request has tried, by channel. */
  readonly tried: ReadonlyMap<number, ReadonlySet<string>>
  /** Keys that may be used; absent: one each. */
  readonly keysOf?: (channel: ChannelSnapshot) => KeyIds
  /** Undefined: nothing ever failed there. */
  readonly healthOf?: (channel: ChannelSnapshot) => ((key_id: string) => BreakerState) | undefined
  /** Of the conversation; absent: drawn by weight. */
  readonly seed?: number | undefined
  /** How many choices were made of this channel's keys, for those that take turns. */
  readonly turnOf?: (channel: ChannelSnapshot) => number
  /** Tries that are left after this one. */
  readonly retries_left?: number
  /** In [0, 1). */
  readonly random: () => number
  readonly skip?: (channel: ChannelSnapshot) => SkipReason | undefined
}

export type Choice = {
  readonly channel: ChannelSnapshot | undefined
  /** Id of the chosen channel's key. */
  readonly key_id: string
  readonly candidates: CandidateVerdict[]
}
