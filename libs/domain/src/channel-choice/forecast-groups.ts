import type { RoutingStrategy } from '@tollgate/contracts/relay/routing-strategies'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { ForecastInput } from './choice.ts'
import { forecastChoices, type ForecastRow } from './forecast.ts'

type Group = { readonly group: string; readonly channels: readonly ChannelSnapshot[] }
type Input = Omit<ForecastInput, 'channels' | 'tried' | 'retries_left' | 'needs_usable' | 'strategy'> & {
  readonly strategyFor: (group: string) => RoutingStrategy
}

/** One channel as a candidate of one group. */
export type GroupForecastRow = Pick<ForecastRow, 'first'> & {
  readonly group: string
  readonly channel: ChannelSnapshot
  readonly probabilities: number[]
}
export type GroupsForecast = { readonly rows: readonly GroupForecastRow[]; readonly attempts: number; readonly is_cut: boolean }

/**
 * The forecast of a request that uses its groups one after the other: each until no channel of it is left that does not pause, and then
 * the channels that pause, of the last group that was used. The hold and the limits of groups are taken as sufficient.
 */
export function forecastGroups(groups: readonly Group[], { strategyFor, ...input }: Input, attempts: number): GroupsForecast {
  const rows: GroupForecastRow[] = []
  let tried: ForecastInput['tried'] = new Map()
  let done = 0
  let current = groups[0]
  /** Adds the attempts in one group, and says whether more can follow: only `exhausted` leads to another group. */
  const add = ({ group, channels }: Group, needs_usable: boolean): 'ended' | 'cut' | 'exhausted' => {
    const choice = { ...input, channels, strategy: strategyFor(group), needs_usable }
    const found = forecastChoices(choice, attempts - done, tried)
    for (const [at, { first, probabilities }] of found.rows.entries()) {
      const channel = channels[at]
      if (channel === undefined) continue
      const known = rows.find((row) => row.group === group && row.channel === channel)
      const row = known ?? { group, channel, first, probabilities: [] }
      if (known === undefined) rows.push(row)
      while (row.probabilities.length < done) row.probabilities.push(0)
      if (found.attempts > 0) row.probabilities.push(...probabilities)
    }
    done += found.attempts
    if (found.exhausted === undefined) return found.is_cut ? 'cut' : 'ended'
    tried = found.exhausted
    if (found.attempts > 0) current = { group, channels }
    return 'exhausted'
  }
  const isSeveral = groups.length > 1
  let ended: ReturnType<typeof add> = 'exhausted'
  for (const group of groups) if (ended === 'exhausted' && done < attempts) ended = add(group, isSeveral)
  if (isSeveral && ended === 'exhausted' && done < attempts && current !== undefined) ended = add(current, false)
  for (const { probabilities } of rows) while (probabilities.length < done) probabilities.push(0)
  return { rows, attempts: done, is_cut: ended === 'cut' }
}
