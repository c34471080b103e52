import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { CandidateResult, RecordedChoice, RecordedDraw } from '@tollgate/contracts/relay/usage-event'
import type { BreakerState } from '../channel-health/breaker.ts'
import { BLANK_CHANNEL } from './blank-channel.ts'
import { ONE_KEY, type ChoiceInput, type KeyIds, type SkipReason } from './choice.ts'
import { STATE_LETTERS } from './record-choice.ts'

/** Channels as far as the choice reads them. */
export function recordedChannels(candidates: readonly CandidateResult[], { rest = [] }: RecordedChoice): ChannelSnapshot[] {
  const listed = candidates.map(({ channel_id, channel_name, priority, weight }) =>
    toChannel(channel_id, { channel_name, priority, weight }),
  )
  const others = Array.from({ length: Math.floor(rest.length / 3) }, (_, nth) => {
    const [id = 0, priority = 0, weight = 0] = rest.slice(3 * nth, 3 * nth + 3)
    return toChannel(id, { channel_name: '', priority, weight })
  })
  return [...listed, ...others]
}

const toChannel = (id: number, { channel_name, priority, weight }: Omit<CandidateResult, 'channel_id' | 'result'>): ChannelSnapshot => ({
  ...BLANK_CHANNEL,
  id,
  name: channel_name,
  priority,
  weight,
})

type GivenFacts = {
  readonly channels: readonly ChannelSnapshot[]
  readonly choice: RecordedChoice
  readonly tried: ReadonlyMap<number, ReadonlySet<string>>
}

/** The recorded facts, in the place of what the relay reads from its configuration and its circuit breakers. */
export function recordedInput(draw: RecordedDraw, { channels: all, choice, tried }: GivenFacts): Omit<ChoiceInput, 'random'> {
  const { left, ids, needs_usable, strategy, turn } = draw
  const byId = new Map(all.map((channel) => [channel.id, channel]))
  const facts = factsOf(ids === undefined ? all : ids.flatMap((id) => byId.get(id) ?? []), draw)
  const factOf = ({ id }: ChannelSnapshot): Fact | undefined => facts.get(id)
  return {
    channels: [...facts.values()].map(({ channel }) => channel),
    tried,
    retries_left: left,
    keysOf: (channel) => keysOf(factOf(channel), { draw, own: tried.get(channel.id) }),
    healthOf: (channel) => {
      const state = stateOf(factOf(channel))
      return () => state
    },
    skip: (channel) => SKIPPED.get(factOf(channel)?.letter ?? ''),
    ...(needs_usable === true ? { needs_usable } : {}),
    ...(strategy === undefined ? {} : { strategy, latencyOf: (channel) => factOf(channel)?.figure ?? undefined }),
    ...(strategy === 'effective-cost' ? { costOf: (channel) => ({ usd: factOf(channel)?.figure ?? 0, is_measured: true }) } : {}),
    ...(choice.affinity_key === undefined ? {} : { affinity_key: choice.affinity_key }),
    ...(choice.region === undefined ? {} : { region: choice.region }),
    ...(choice.exact_weights === undefined ? {} : { has_exact_weights: true }),
    ...(turn === undefined ? {} : { turnOf: () => turn }),
  }
}

type Fact = {
  readonly channel: ChannelSnapshot
  readonly letter: string
  readonly figure: number | null | undefined
  readonly severity: number
  readonly remaining_ms: number
}

function factsOf(channels: readonly ChannelSnapshot[], draw: RecordedDraw): ReadonlyMap<number, Fact> {
  const { states, strategy, figures = [], regions = [], pauses = [], turn } = draw
  let usable = 0
  let paused = 0
  return new Map(
    channels.map((channel, at) => {
      const letter = states[at] ?? ''
      const isUsable = letter === 'u' || letter === 'p'
      const figure = isUsable ? figures[usable] : undefined
      const setting = {
        ...(strategy === 'price' && isUsable ? { cost_ratio: figure } : {}),
        ...(isUsable ? { region: regions[usable] } : {}),
        ...(turn === undefined ? {} : { multi_key_mode: 'polling' }),
      }
      const status = STATUSES.get(letter) ?? channel.status
      const [severity = 0, remaining_ms = 0] = isPaused(letter) ? pauses.slice(2 * paused, 2 * paused + 2) : []
      if (isUsable) usable += 1
      if (isPaused(letter)) paused += 1
      return [channel.id, { channel: { ...channel, status, setting }, letter, figure, severity, remaining_ms }]
    }),
  )
}

const STATUSES: ReadonlyMap<string, ChannelStatus> = new Map([
  [STATE_LETTERS.disabled, ChannelStatus.disabled],
  [STATE_LETTERS['auto-disabled'], ChannelStatus.autoDisabled],
])
const SKIPPED: ReadonlyMap<string, SkipReason> = new Map(
  (['off-schedule', 'limit-reached', 'unsupported'] as const).map((reason) => [STATE_LETTERS[reason], reason]),
)
const PAUSED: readonly string[] = [STATE_LETTERS['breaker-open'], STATE_LETTERS.cooling, STATE_LETTERS['half-open']]
const isPaused = (letter: string): boolean => PAUSED.includes(letter)

function stateOf(fact: Fact | undefined): BreakerState {
  const { letter = '', severity = 0, remaining_ms = 0 } = fact ?? {}
  if (letter === 'p' || letter === STATE_LETTERS['half-open']) return { kind: 'half-open', is_probing: letter !== 'p', severity }
  if (!isPaused(letter)) return { kind: 'closed' }
  return { kind: 'open', cause: letter === STATE_LETTERS.cooling ? 'limited' : 'failures', remaining_ms, severity }
}

type Keys = { readonly draw: RecordedDraw; readonly own: ReadonlySet<string> | undefined }

/** Keys that the channel could be called with: the recorded ones, which are those of the chosen channel; a stand-in for unknown ones. */
function keysOf(fact: Fact | undefined, { draw, own }: Keys): KeyIds {
  const letter = fact?.letter
  if (letter === undefined || letter === STATE_LETTERS['keys-out']) return []
  if (letter === STATE_LETTERS['already-tried']) return [...(own ?? [])]
  const unknown = `?${own?.size ?? 0}`
  const known = (draw.key_count === undefined ? (draw.keys ?? ONE_KEY) : [unknown]).filter((key_id) => own?.has(key_id) !== true)
  return known.length === 0 ? [unknown] : known
}
