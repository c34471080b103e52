import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CandidateVerdict } from '@tollgate/contracts/usage-event'

type Verdict = CandidateVerdict['verdict']
/** Reasons from outside this file: limits, breaker, and what we cannot speak yet. */
export type SkipReason = Extract<Verdict, 'cooling' | 'limit-reached' | 'unsupported'>

export type ChoiceInput = {
  /** All channels of the group and model, whatever their status. */
  readonly channels: readonly ChannelSnapshot[]
  readonly tried: ReadonlySet<number>
  /** In [0, 1). */
  readonly random: () => number
  readonly skip?: (channel: ChannelSnapshot) => SkipReason | undefined
}

/** Added to every weight, so that a weight of 0 is drawn too. */
const WEIGHT_FLOOR = 10

/**
 * Draws one channel of the highest priority that still has an untried one, by weight + 10, and says of every other why not. A
 * level is used up before the next is looked at.
 */
export function chooseChannel(input: ChoiceInput): { channel: ChannelSnapshot | undefined; candidates: CandidateVerdict[] } {
  const verdicts = new Map<number, Verdict>()
  const open: ChannelSnapshot[] = []
  for (const channel of input.channels) {
    const reason = reasonAgainst(channel, input)
    if (reason === undefined) open.push(channel)
    else verdicts.set(channel.id, reason)
  }
  const top = open.reduce((most, channel) => Math.max(most, channel.priority), -Infinity)
  const chosen = draw(
    open.filter((channel) => channel.priority === top),
    input.random,
  )
  for (const channel of open) {
    if (channel.id === chosen?.id) verdicts.set(channel.id, 'chosen')
    else verdicts.set(channel.id, channel.priority === top ? 'not-drawn' : 'lower-priority')
  }
  const candidates = input.channels.map(({ id, name, priority, weight }) => ({
    channel_id: id,
    channel_name: name,
    priority,
    weight,
    verdict: verdicts.get(id) ?? 'not-drawn',
  }))
  return { channel: chosen, candidates }
}

function reasonAgainst(channel: ChannelSnapshot, { tried, skip }: ChoiceInput): Verdict | undefined {
  if (tried.has(channel.id)) return 'already-tried'
  if (channel.status === ChannelStatus.autoDisabled) return 'auto-disabled'
  if (channel.status !== ChannelStatus.enabled) return 'disabled'
  return skip?.(channel)
}

function draw(channels: readonly ChannelSnapshot[], random: () => number): ChannelSnapshot | undefined {
  const weights = channels.map((channel) => Math.max(channel.weight, 0) + WEIGHT_FLOOR)
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, channel] of channels.entries()) {
    left -= weights[index] ?? 0
    if (left < 0) return channel
  }
  return channels.at(-1)
}
