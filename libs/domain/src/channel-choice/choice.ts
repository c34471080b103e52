import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { CandidateResult } from '@tollgate/contracts/relay/usage-event'
import type { BreakerState } from '../channel-health/breaker.ts'
import type { Assessed } from './assess.ts'
import type { Preference } from './preference.ts'

type Result = CandidateResult['result']
/** Reasons that the caller determines: channel limits, and operations that the vendor does not support; of a record also its schedule. */
export type SkipReason = Extract<Result, 'limit-reached' | 'unsupported' | 'off-schedule'>

/** Ids of a channel's keys; a channel with one key has the id ''. */
export type KeyIds = readonly string[]
export const ONE_KEY: KeyIds = ['']

export type ChoiceInput = {
  /** All channels of the group and model, disabled ones included. */
  readonly channels: readonly ChannelSnapshot[]
  /** Ids of the keys that this request has tried, by channel. */
  readonly tried: ReadonlyMap<number, ReadonlySet<string>>
  /** Keys in service; absent: one key per channel. */
  readonly keysOf?: (channel: ChannelSnapshot) => KeyIds
  /** The breaker state of each key; undefined if no call of this channel failed recently. */
  readonly healthOf?: (channel: ChannelSnapshot) => ((key_id: string) => BreakerState) | undefined
  /** Session affinity: equal keys choose the same channel. Absent: drawn by weight. */
  readonly affinity_key?: number | undefined
  /** The channel's round-robin counter. */
  readonly turnOf?: (channel: ChannelSnapshot) => number
  /** Attempts left after this one. */
  readonly retries_left?: number
  /** In [0, 1). */
  readonly random: () => number
  readonly skip?: (channel: ChannelSnapshot) => SkipReason | undefined
  /** Chooses nothing, instead of the least bad, when the breakers of all channels are open: another group is left. */
  readonly needs_usable?: boolean
  /** Unix milliseconds, for schedules of channels; absent: every channel serves at all hours. */
  readonly now?: number
} & Preference

/** The facts that are known before a draw. */
export type ForecastInput = Omit<ChoiceInput, 'random' | 'turnOf'>

export type Choice = {
  readonly channel: ChannelSnapshot | undefined
  /** Id of the chosen channel's key. */
  readonly key_id: string
  /** The keys that it was chosen from. */
  readonly key_ids: KeyIds
  /** The counter that chose the key; undefined: another rule did. */
  readonly turn: number | undefined
  readonly candidates: CandidateResult[]
  /** Assessment of each candidate, in the order of the channels. */
  readonly assessed: readonly Assessed[]
}
