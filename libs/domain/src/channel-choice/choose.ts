import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CandidateVerdict } from '@tollgate/contracts/usage-event'
import { assess, type Assessed } from './assess.ts'
import type { Choice, ChoiceInput } from './choice.ts'
import { chooseByRendezvous, hashText } from './rendezvous.ts'

type Because = CandidateVerdict['because']

/** Added to every weight, so that a weight of 0 is drawn too. */
const WEIGHT_FLOOR = 10

/**
 * Chooses one channel and key, and says of every other channel why not. The highest priority that has a usable channel is used up
 * before the next is looked at; within it a channel whose breaker asks for a probe goes first where another could save the
 * request, then the conversation's own, then one drawn by weight + 10. Where all breakers are open, the least bad is tried.
 */
export function chooseChannel(input: ChoiceInput): Choice {
  const all = input.channels.map((channel) => assess(channel, input))
  const usable = all.filter((one) => one.kind === 'usable')
  const picked = usable.length > 0 ? pickUsable(usable, input) : pickLeastBad(all)
  const candidates = all.map((one) => verdictOf(one, picked))
  if (picked === undefined) return { channel: undefined, key_id: '', candidates }
  return { channel: picked.one.channel, key_id: chooseKey(picked.one, input), candidates }
}

type Usable = Extract<Assessed, { kind: 'usable' }>
type Resting = Extract<Assessed, { kind: 'resting' }>
type Picked = { readonly one: Usable | Resting; readonly because: Because }

function pickUsable(usable: readonly Usable[], input: ChoiceInput): Picked | undefined {
  const [only] = usable
  if (usable.length === 1) return picked(only, only?.is_probe === true ? 'probe' : undefined)
  const top = usable.reduce((most, { channel }) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
  const level = usable.filter(({ channel }) => channel.priority === top)
  const untried = level.filter(({ channel }) => !input.tried.has(channel.id))
  const pool = untried.length > 0 ? untried : level
  const probes = pool.filter((one) => one.is_probe)
  if (probes.length > 0 && usable.length > 1 && (input.retries_left ?? 0) > 0) return picked(draw(probes, input.random), 'probe')
  if (input.seed !== undefined && pool.length > 1) {
    const race = { seed: input.seed, idOf: ({ channel }: Usable) => channel.id, weightOf }
    return picked(chooseByRendezvous(pool, race), 'affinity')
  }
  const one = draw(pool, input.random)
  return picked(one, one?.is_probe === true ? 'probe' : undefined)
}

const picked = (one: Usable | Resting | undefined, because: Because): Picked | undefined =>
  one === undefined ? undefined : { one, because }

/** A request is not refused only because of breakers. */
function pickLeastBad(all: readonly Assessed[]): Picked | undefined {
  const [least] = all
    .filter((one) => one.kind === 'resting')
    .toSorted((a, b) => a.badness - b.badness || b.channel.priority - a.channel.priority || a.rest_ms - b.rest_ms)
  return picked(least, 'least-bad')
}

function verdictOf(one: Assessed, chosen: Picked | undefined): CandidateVerdict {
  const { id, name, priority, weight } = one.channel
  const row = { channel_id: id, channel_name: name, priority, weight }
  if (one === chosen?.one) return { ...row, verdict: 'chosen', ...(chosen.because === undefined ? {} : { because: chosen.because }) }
  if (one.kind === 'out') return { ...row, verdict: one.verdict }
  if (one.kind === 'resting') return { ...row, verdict: one.verdict, ...(one.rest_ms > 0 ? { rest_ms: one.rest_ms } : {}) }
  return { ...row, verdict: chosen !== undefined && priority < chosen.one.channel.priority ? 'lower-priority' : 'not-drawn' }
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

/** Among keys that are equally well: the conversation's own, else by turns or by lot, as the channel says. */
function chooseKey({ channel, key_ids }: Usable | Resting, { seed, random, turnOf }: ChoiceInput): string {
  const [first = ''] = key_ids
  if (key_ids.length < 2) return first
  if (seed !== undefined) return chooseByRendezvous(key_ids, { seed, idOf: hashText, weightOf: () => 1 }) ?? first
  const at = channel.setting['multi_key_mode'] === 'polling' ? (turnOf?.(channel) ?? 0) : Math.floor(random() * key_ids.length)
  return key_ids[at % key_ids.length] ?? first
}
