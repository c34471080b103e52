import type { WhatIfCandidate } from '@tollgate/contracts/resources/what-if'
import { strategyOf, type RoutingStrategy } from '@tollgate/contracts/relay/routing-strategies'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { RecordedDraw } from '@tollgate/contracts/relay/usage-event'
import { STATE_LETTERS } from '../channel-choice/record-choice.ts'
import type { WhatIfFacts } from './facts.ts'

/** A candidate configuration, arranged for look-ups. */
export type Changes = {
  readonly channels: ReadonlyMap<number, WhatIfCandidate['channels'][number]>
  readonly strategies: Readonly<Record<string, RoutingStrategy>> | undefined
  readonly fallbacks: WhatIfCandidate['fallbacks']
}

export const changesOf = ({ channels, strategies, fallbacks }: WhatIfCandidate): Changes => ({
  channels: new Map(channels.map((one) => [one.id, one])),
  strategies,
  fallbacks,
})

type Given = {
  readonly draw: RecordedDraw
  /** The candidates of the draw, in its order. */
  readonly ids: readonly number[]
  readonly group: string
  readonly model: string
  readonly changes: Changes
  readonly facts: WhatIfFacts
  /** The state that a candidate has in place of the recorded one; undefined: the recorded one. */
  readonly letterOf?: (id: number, recorded: string) => string | undefined
}

/** The recorded draw with what the candidate configuration changes; the same object if that is nothing. */
export function changedDraw({ draw, ids, group, model, changes, facts, letterOf }: Given): RecordedDraw {
  const { states } = draw
  let next = ''
  for (const [at, id] of ids.entries()) {
    const recorded = states[at] ?? ''
    const { is_enabled } = changes.channels.get(id) ?? {}
    const letter = letterOf?.(id, recorded) ?? recorded
    next += is_enabled === undefined ? letter : switched(letter, is_enabled)
  }
  const before = draw.strategy ?? 'weight'
  const strategy = changes.strategies === undefined ? before : strategyOf(changes.strategies, group)
  const isOwnPrice =
    (strategy === 'price' || strategy === 'effective-cost') && ids.some((id) => changes.channels.get(id)?.cost_ratio !== undefined)
  if (next === states && strategy === before && !isOwnPrice) return draw
  const { strategy: _strategy, figures: _figures, bases: _bases, regions, pauses, ...rest } = draw
  const recordedOf = byUsable(draw, draw.figures, ids)
  const usable = ids.filter((_, at) => isUsable(next[at]))
  return {
    ...rest,
    states: next,
    ...(regions === undefined ? {} : { regions: mapped(usable, byUsable(draw, regions, ids), '') }),
    ...(pauses === undefined ? {} : { pauses: pausesOf(draw, pauses, { ids, next }) }),
    ...(strategy === 'weight'
      ? {}
      : {
          strategy,
          figures: usable.map((id) => {
            const cost_ratio = changes.channels.get(id)?.cost_ratio
            const own = strategy === 'price' ? cost_ratio : undefined
            // A recorded cost is one with the recorded cost ratio.
            const isRecorded = strategy === before && !(strategy === 'effective-cost' && cost_ratio !== undefined)
            const recorded = isRecorded ? recordedOf.get(id) : undefined
            return own ?? (recorded === undefined ? figureOf(strategy, { id, model, facts }) : recorded)
          }),
        }),
  }
}

function switched(letter: string, is_enabled: boolean): string {
  const isOff = letter === STATE_LETTERS.disabled || letter === STATE_LETTERS['auto-disabled']
  if (is_enabled) return isOff ? 'u' : letter
  return letter === STATE_LETTERS['already-tried'] ? letter : STATE_LETTERS.disabled
}

const isUsable = (letter: string | undefined): boolean => letter === 'u' || letter === 'p'
const isPaused = (letter: string | undefined): boolean =>
  letter === STATE_LETTERS['breaker-open'] || letter === STATE_LETTERS.cooling || letter === STATE_LETTERS['half-open']

/** A list of the draw that has an entry per usable candidate, by channel. */
function byUsable<T>({ states }: RecordedDraw, list: readonly T[] | undefined, ids: readonly number[]): ReadonlyMap<number, T> {
  if (list === undefined) return new Map()
  const usable = ids.filter((_, at) => isUsable(states[at]))
  return new Map(usable.flatMap((id, at) => (at < list.length ? [[id, list[at] as T] as const] : [])))
}

const mapped = <T>(ids: readonly number[], known: ReadonlyMap<number, T>, other: T): T[] => ids.map((id) => known.get(id) ?? other)

type Paused = { readonly ids: readonly number[]; readonly next: string }

function pausesOf({ states }: RecordedDraw, pauses: readonly number[], { ids, next }: Paused): number[] {
  const known = new Map<number, readonly number[]>()
  for (const [at, id] of ids.entries()) if (isPaused(states[at])) known.set(id, pauses.slice(2 * known.size, 2 * known.size + 2))
  return ids.flatMap((id, at) => (isPaused(next[at]) ? (known.get(id) ?? [0, 0]) : []))
}

type Figure = { readonly id: number; readonly model: string; readonly facts: WhatIfFacts }

function figureOf(strategy: RoutingStrategy, { id, model, facts }: Figure): number | null {
  if (strategy === 'effective-cost') return facts.costOf(id, model).usd
  return strategy === 'latency' ? (facts.latencyOf(id, model) ?? null) : facts.costRatioOf(id, model)
}

/** Channels with the weight and priority of the candidate configuration. */
export function changedChannels(channels: readonly ChannelSnapshot[], { channels: changed }: Changes): readonly ChannelSnapshot[] {
  if (!channels.some(({ id }) => changed.has(id))) return channels
  return channels.map((channel) => {
    const { weight = channel.weight, priority = channel.priority } = changed.get(channel.id) ?? {}
    return { ...channel, weight, priority }
  })
}
