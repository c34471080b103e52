import type { RoutingStrategy } from '@tollgate/contracts/relay/routing-strategies'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { ForecastInput } from './choice.ts'
import { forecastChoices, type ForecastRow } from './forecast.ts'

type Group = {
  readonly group: string
  /** A model of the request's chain; absent: the requested one. */
  readonly model?: string
  readonly channels: readonly ChannelSnapshot[]
}
type OfModel = Pick<ForecastInput, 'healthOf' | 'skip' | 'model' | 'costOf'>
type Input = Omit<ForecastInput, 'channels' | 'tried' | 'retries_left' | 'needs_usable' | 'strategy'> & {
  readonly strategyFor: (group: string) => RoutingStrategy
  /** Health and obstacles of channels for another model than the requested one. */
  readonly ofModel?: (model: string) => OfModel
}

/** One channel as a candidate of one group. */
export type GroupForecastRow = Pick<ForecastRow, 'first'> & {
  readonly group: string
  readonly model?: string
  readonly channel: ChannelSnapshot
  readonly probabilities: number[]
}
export type GroupsForecast = { readonly rows: readonly GroupForecastRow[]; readonly attempts: number; readonly is_cut: boolean }

/**
 * The forecast of a request that uses its groups one after the other: each until no channel of it is left that does not pause, and then
 * the channels that pause, of the last group that was used. Each model of a chain has as many attempts as the requested one, and follows
 * when those before it have used theirs. The hold and the limits of groups are taken as sufficient.
 */
export function forecastGroups(groups: readonly Group[], { strategyFor, ofModel, ...input }: Input, attempts: number): GroupsForecast {
  const rows: GroupForecastRow[] = []
  let tried: ForecastInput['tried'] = new Map()
  let done = 0
  let current = groups[0]
  /** Attempts before those of the model. */
  let before = 0
  /** Adds the attempts in one group, and says whether more can follow: only `exhausted` leads to another group. */
  const add = (one: Group, needs_usable: boolean): 'ended' | 'cut' | 'exhausted' => {
    const { group, model, channels } = one
    const own = model === undefined ? undefined : ofModel?.(model)
    const choice = { ...input, ...own, channels, strategy: strategyFor(group), needs_usable }
    const found = forecastChoices(choice, attempts - (done - before), tried)
    for (const [at, { first, probabilities }] of found.rows.entries()) {
      const channel = channels[at]
      if (channel === undefined) continue
      const known = rows.find((row) => row.group === group && row.model === model && row.channel === channel)
      const row = known ?? { group, ...(model === undefined ? {} : { model }), channel, first, probabilities: [] }
      if (known === undefined) rows.push(row)
      while (row.probabilities.length < done) row.probabilities.push(0)
      if (found.attempts > 0) row.probabilities.push(...probabilities)
    }
    done += found.attempts
    if (found.exhausted === undefined) return found.is_cut ? 'cut' : 'ended'
    tried = found.exhausted
    if (found.attempts > 0) current = one
    return 'exhausted'
  }
  const isSeveral = groups.length > 1
  let ended: ReturnType<typeof add> = 'exhausted'
  let model: string | undefined
  for (const group of groups) {
    if (group.model !== model && ended !== 'cut') {
      model = group.model
      before = done
      tried = new Map()
      ended = 'exhausted'
    }
    if (ended === 'exhausted' && done - before < attempts) ended = add(group, isSeveral)
  }
  if (isSeveral && ended === 'exhausted' && done - before < attempts && current !== undefined) ended = add(current, false)
  for (const { probabilities } of rows) while (probabilities.length < done) probabilities.push(0)
  return { rows, attempts: done, is_cut: ended === 'cut' }
}
