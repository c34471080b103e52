import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CandidateResult } from '@tollgate/contracts/usage-event'
import { assess, type Assessed } from './assess.ts'
import type { Choice, ChoiceInput } from './choice.ts'
import { chooseByRendezvous, hashText } from './rendezvous.ts'

type ChosenBy = CandidateResult['chosen_by']

/** Added to every weight, so that a channel of weight 0 can be drawn. */
const WEIGHT_FLOOR = 10

/**
 * Chooses one channel and key and reports for every candidate why it was or was not chosen. Only channels of the highest priority with
 * a usable channel compete: a half-open one that needs a probe wins if a retry could still save the request, then the one that session
 * affinity selects, then one drawn by weight + 10. If all breakers are open, the least bad channel is tried.
 */
export function chooseChannel(input: ChoiceInput): Choice {
  const all = input.channels.map((channel) => assess(channel, input))
  const usable = all.filter((one) => one.kind === 'usable')
  const picked = usable.length > 0 ? pickUsable(usable, input) : pickLeastBad(all)
  const candidates = all.map((one) => resultOf(one, picked))
  if (picked === undefined) return { channel: undefined, key_id: '', candidates }
  return { channel: picked.one.channel, key_id: chooseKey(picked.one, input), candidates }
}

type Usable = Extract<Assessed, { kind: 'usable' }>
type Paused = Extract<Assessed, { kind: 'paused' }>
type Picked = { readonly one: Usable | Paused; readonly chosen_by: ChosenBy }

function pickUsable(usable: readonly Usable[], input: ChoiceInput): Picked | undefined {
  const [only] = usable
  if (usable.length === 1) return picked(only, only?.is_probe === true ? 'probe' : undefined)
  const top = usable.reduce((most, { channel }) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
  const level = usable.filter(({ channel }) => channel.priority === top)
  const untried = level.filter(({ channel }) => !input.tried.has(channel.id))
  const pool = untried.length > 0 ? untried : level
  const probes = pool.filter((one) => one.is_probe)
  if (probes.length > 0 && usable.length > 1 && (input.retries_left ?? 0) > 0) return picked(draw(probes, input.random), 'probe')
  if (input.affinity_key !== undefined && pool.length > 1) {
    const race = { seed: input.affinity_key, idOf: ({ channel }: Usable) => channel.id, weightOf }
    return picked(chooseByRendezvous(pool, race), 'affinity')
  }
  const one = draw(pool, input.random)
  return picked(one, one?.is_probe === true ? 'probe' : undefined)
}

const picked = (one: Usable | Paused | undefined, chosen_by: ChosenBy): Picked | undefined =>
  one === undefined ? undefined : { one, chosen_by }

/** If every breaker is open, the request is still sent: breakers alone never refuse one. */
function pickLeastBad(all: readonly Assessed[]): Picked | undefined {
  const [least] = all
    .filter((one) => one.kind === 'paused')
    .toSorted((a, b) => a.severity - b.severity || b.channel.priority - a.channel.priority || a.remaining_ms - b.remaining_ms)
  return picked(least, 'least-bad')
}

function resultOf(one: Assessed, chosen: Picked | undefined): CandidateResult {
  const { id, name, priority, weight } = one.channel
  const row = { channel_id: id, channel_name: name, priority, weight }
  if (one === chosen?.one) return { ...row, result: 'chosen', ...(chosen.chosen_by === undefined ? {} : { chosen_by: chosen.chosen_by }) }
  if (one.kind === 'excluded') return { ...row, result: one.result }
  if (one.kind === 'paused') return { ...row, result: one.result, ...(one.remaining_ms > 0 ? { remaining_ms: one.remaining_ms } : {}) }
  return { ...row, result: chosen !== undefined && priority < chosen.one.channel.priority ? 'lower-priority' : 'not-drawn' }
}

const weightOf = ({ channel }: { readonly channel: ChannelSnapshot }): number => Math.max(channel.weight, 0) + WEIGHT_FLOOR

function draw(pool: readonly Usable[], random: () => number): Usable | undefined {
  const weights = pool.map(weightOf)
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, one] of pool.entries()) {
    left -= weights[index] ?? 0
    if (left < 0) return one
  }
  return pool.at(-1)
}

/** Among equally healthy keys: by session affinity, otherwise round robin or random as the channel's `multi_key_mode` says. */
function chooseKey({ channel, key_ids }: Usable | Paused, { affinity_key, random, turnOf }: ChoiceInput): string {
  const [first = ''] = key_ids
  if (key_ids.length < 2) return first
  if (affinity_key !== undefined) return chooseByRendezvous(key_ids, { seed: affinity_key, idOf: hashText, weightOf: () => 1 }) ?? first
  const at = channel.setting['multi_key_mode'] === 'polling' ? (turnOf?.(channel) ?? 0) : Math.floor(random() * key_ids.length)
  return key_ids[at % key_ids.length] ?? first
}
