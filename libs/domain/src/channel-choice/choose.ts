import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { CandidateResult } from '@tollgate/contracts/relay/usage-event'
import { assess, type Assessed } from './assess.ts'
import type { Choice, ChoiceInput, ForecastInput, KeyIds } from './choice.ts'
import { prefer, type Preferred } from './preference.ts'
import { chooseByRendezvous, hashText } from './rendezvous.ts'
import { drawnWeights } from './weights.ts'

type ChosenBy = CandidateResult['chosen_by']

/**
 * Chooses one channel and key and reports for every candidate why it was or was not chosen. Only channels of the highest priority with
 * a usable channel compete, of these those that the group's strategy prefers: a half-open one that needs a probe wins if a retry could still save the request, then the one that session
 * affinity selects, then one drawn by its weight (weights.ts). If all breakers are open, the least bad channel is tried.
 */
export function chooseChannel(input: ChoiceInput): Choice {
  const all = input.channels.map((channel) => assess(channel, input))
  const usable = all.filter((one) => one.kind === 'usable')
  const contest = usable.length > 0 ? contestOf(usable, input) : undefined
  const picked = contest === undefined ? leastBadOf(all, input) : pickUsable(contest, input)
  const candidates = all.map((one) => resultOf(one, picked, contest))
  if (picked === undefined) return { channel: undefined, key_id: '', key_ids: NO_KEYS, turn: undefined, candidates, assessed: all }
  const { channel, key_ids } = picked.one
  const turn = key_ids.length > 1 ? turnFor(channel, input) : undefined
  return { channel, key_id: chooseKey(key_ids, turn, input), key_ids, turn, candidates, assessed: all }
}

const NO_KEYS: KeyIds = []

/** True if a channel is usable, without a draw. */
export const hasUsable = (input: ForecastInput): boolean => input.channels.some((channel) => assess(channel, input).kind === 'usable')

/** A candidate of one attempt. `result` is `chosen` for every one that can be chosen; `key_id` is a key that it could be called with. */
export type Chance = { readonly candidate: CandidateResult; readonly probability: number; readonly key_id: string }

/** The exact probability of each candidate, by the same rules as `chooseChannel`. */
export function chancesOf(input: ForecastInput): Chance[] {
  const all = input.channels.map((channel) => assess(channel, input))
  const usable = all.filter((one) => one.kind === 'usable')
  const contest = usable.length > 0 ? contestOf(usable, input) : undefined
  const shares = contest === undefined ? leastBadShare(all, input) : sharesOf(contest)
  const [[, first] = []] = shares
  return all.map((one) => {
    const own = shares.get(one)
    return {
      candidate: resultOf(one, own?.picked ?? first?.picked, contest),
      probability: own?.probability ?? 0,
      key_id: one.kind === 'excluded' ? '' : (one.key_ids[0] ?? ''),
    }
  })
}

type Usable = Extract<Assessed, { kind: 'usable' }>
type Paused = Extract<Assessed, { kind: 'paused' }>
type Picked = { readonly one: Usable | Paused; readonly chosen_by: ChosenBy }

/** The channels that one attempt is decided between: by session affinity if there is a key, else by weight. */
type Contest = Pick<Preferred<Usable>, 'pool' | 'passed'> & {
  /** Weight of each channel of the pool in the draw. */
  readonly weights: readonly number[]
  readonly affinity_key?: number
}

function contestOf(usable: readonly Usable[], input: ForecastInput): Contest {
  const { tried, retries_left = 0, affinity_key } = input
  if (usable.length === 1) return { pool: usable, passed: NONE, weights: ONE }
  const top = usable.reduce((most, { channel }) => Math.max(most, channel.priority), Number.NEGATIVE_INFINITY)
  const level = usable.filter(({ channel }) => channel.priority === top)
  const untried = level.filter(({ channel }) => !tried.has(channel.id))
  const { pool, passed } = prefer(untried.length > 0 ? untried : level, input)
  const probes = pool.filter((one) => one.is_probe)
  if (probes.length > 0 && retries_left > 0) return { ...weighed(probes, input), passed }
  return { ...weighed(pool, input), passed, ...(affinity_key === undefined ? {} : { affinity_key }) }
}

/** Those that can be drawn, and what they count for. */
function weighed(pool: readonly Usable[], { has_exact_weights = false }: ForecastInput): Pick<Contest, 'pool' | 'weights'> {
  const weights = drawnWeights(
    pool.map(({ channel }) => channel.weight),
    has_exact_weights,
  )
  if (!weights.includes(0)) return { pool, weights }
  return { pool: pool.filter((_, at) => weights[at] !== 0), weights: weights.filter((weight) => weight !== 0) }
}

const NONE: Contest['passed'] = new Map()
const ONE = [1]

function pickUsable(contest: Contest, input: ChoiceInput): Picked | undefined {
  const { pool, affinity_key } = contest
  const isRace = affinity_key !== undefined && pool.length > 1
  const one = isRace ? race(contest, affinity_key) : draw(contest, input.random)
  if (one === undefined) return undefined
  return { one, chosen_by: isRace ? 'affinity' : drawnBy(one) }
}

type Shares = ReadonlyMap<Assessed, { readonly probability: number; readonly picked: Picked }>

function sharesOf(contest: Contest): Shares {
  const { pool, weights, affinity_key } = contest
  if (affinity_key !== undefined && pool.length > 1) {
    const one = race(contest, affinity_key)
    return new Map(one === undefined ? [] : [[one, { probability: 1, picked: { one, chosen_by: 'affinity' } }]])
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return new Map(pool.map((one, at) => [one, { probability: (weights[at] ?? 0) / total, picked: { one, chosen_by: drawnBy(one) } }]))
}

function leastBadShare(all: readonly Assessed[], input: ForecastInput): Shares {
  const picked = leastBadOf(all, input)
  return new Map(picked === undefined ? [] : [[picked.one, { probability: 1, picked }]])
}

const drawnBy = ({ is_probe }: Usable): ChosenBy => (is_probe ? 'probe' : undefined)

const race = ({ pool, weights }: Contest, seed: number): Usable | undefined =>
  chooseByRendezvous(pool, { seed, idOf: ({ channel }) => channel.id, weightOf: (_, at) => weights[at] ?? 0 })

/** If every breaker is open, the request is still sent: breakers alone never refuse one. */
function leastBadOf(all: readonly Assessed[], { needs_usable }: ForecastInput): Picked | undefined {
  if (needs_usable === true) return undefined
  const [least] = all
    .filter((one) => one.kind === 'paused')
    .toSorted((a, b) => a.severity - b.severity || b.channel.priority - a.channel.priority || a.remaining_ms - b.remaining_ms)
  return least === undefined ? undefined : { one: least, chosen_by: 'least-bad' }
}

function resultOf(one: Assessed, chosen: Picked | undefined, contest: Contest | undefined): CandidateResult {
  const { id, name, priority, weight } = one.channel
  const row = { channel_id: id, channel_name: name, priority, weight }
  if (one === chosen?.one) return { ...row, result: 'chosen', ...(chosen.chosen_by === undefined ? {} : { chosen_by: chosen.chosen_by }) }
  if (one.kind === 'excluded') return { ...row, result: one.result }
  if (one.kind === 'paused') return { ...row, result: one.result, ...(one.remaining_ms > 0 ? { remaining_ms: one.remaining_ms } : {}) }
  if (chosen !== undefined && priority < chosen.one.channel.priority) return { ...row, result: 'lower-priority' }
  return { ...row, result: contest?.passed.get(one) ?? 'not-drawn' }
}

function draw({ pool, weights }: Contest, random: () => number): Usable | undefined {
  if (pool.length === 1) return pool[0]
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, one] of pool.entries()) {
    left -= weights[index] ?? 0
    if (left < 0) return one
  }
  return pool.at(-1)
}

/** The channel's counter, if its keys are used in turn. */
const turnFor = (channel: ChannelSnapshot, { affinity_key, turnOf }: ChoiceInput): number | undefined =>
  affinity_key === undefined && channel.setting['multi_key_mode'] === 'polling' ? (turnOf?.(channel) ?? 0) : undefined

/** Among equally healthy keys: by session affinity, otherwise in turn or at random as the channel's `multi_key_mode` says. */
function chooseKey(key_ids: KeyIds, turn: number | undefined, { affinity_key, random }: ChoiceInput): string {
  const [first = ''] = key_ids
  if (key_ids.length < 2) return first
  if (affinity_key !== undefined) return chooseByRendezvous(key_ids, { seed: affinity_key, idOf: hashText, weightOf: () => 1 }) ?? first
  const at = turn ?? Math.floor(random() * key_ids.length)
  return key_ids[at % key_ids.length] ?? first
}
