import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { CandidateResult } from '@tollgate/contracts/relay/usage-event'
import type { BreakerState } from '../channel-health/breaker.ts'
import { isOnSchedule } from './is-on-schedule.ts'
import { ONE_KEY, type ForecastInput, type KeyIds, type SkipReason } from './choice.ts'

type Excluded = Extract<CandidateResult['result'], 'disabled' | 'auto-disabled' | 'keys-out' | 'already-tried' | SkipReason>
type Paused = Extract<CandidateResult['result'], 'breaker-open' | 'cooling' | 'half-open'>

/** Reasons why a channel cannot serve one request, or the equally healthy keys with which it can. */
export type Assessed =
  | { readonly kind: 'usable'; readonly channel: ChannelSnapshot; readonly key_ids: KeyIds; readonly is_probe: boolean }
  /** All of its keys have an open or probing breaker. */
  | {
      readonly kind: 'paused'
      readonly channel: ChannelSnapshot
      readonly key_ids: KeyIds
      readonly result: Paused
      readonly severity: number
      readonly remaining_ms: number
    }
  | { readonly kind: 'excluded'; readonly channel: ChannelSnapshot; readonly result: Excluded }

/** Checks status, schedule, keys, the caller's `skip` and health, in this order. */
export function assess(channel: ChannelSnapshot, { keysOf, tried, skip, healthOf, now }: ForecastInput): Assessed {
  const out = (result: Excluded): Assessed => ({ kind: 'excluded', channel, result })
  const own = tried.get(channel.id)
  if (own === undefined && channel.status === ChannelStatus.autoDisabled) return out('auto-disabled')
  if (own === undefined && channel.status !== ChannelStatus.enabled) return out('disabled')
  const { schedule } = channel.setting
  if (own === undefined && schedule !== undefined && now !== undefined && !isOnSchedule(schedule, now)) return out('off-schedule')
  const key_ids = keysOf?.(channel) ?? ONE_KEY
  if (key_ids.length === 0) return out('keys-out')
  const untried = own === undefined ? key_ids : key_ids.filter((key_id) => !own.has(key_id))
  if (untried.length === 0 || channel.status !== ChannelStatus.enabled) return out('already-tried')
  const reason = skip?.(channel)
  if (reason !== undefined) return out(reason)
  const health = healthOf?.(channel)
  return health === undefined ? { kind: 'usable', channel, key_ids: untried, is_probe: false } : assessHealth(channel, untried, health)
}

type KeyHealth = { readonly key_id: string; readonly state: BreakerState }

function assessHealth(channel: ChannelSnapshot, key_ids: KeyIds, health: (key_id: string) => BreakerState): Assessed {
  const all = key_ids.map((key_id): KeyHealth => ({ key_id, state: health(key_id) }))
  const closed = all.filter(({ state }) => state.kind === 'closed')
  if (closed.length > 0) return { kind: 'usable', channel, key_ids: closed.map(({ key_id }) => key_id), is_probe: false }
  const awaitingProbe = all.filter(({ state }) => state.kind === 'half-open' && !state.is_probing)
  if (awaitingProbe.length > 0) return { kind: 'usable', channel, key_ids: awaitingProbe.map(({ key_id }) => key_id), is_probe: true }
  const [least] = all.toSorted((a, b) => severityOf(a) - severityOf(b) || remainingOf(a) - remainingOf(b))
  if (least === undefined) return { kind: 'excluded', channel, result: 'keys-out' }
  return {
    kind: 'paused',
    channel,
    key_ids: [least.key_id],
    result: resultFor(least.state),
    severity: severityOf(least),
    remaining_ms: remainingOf(least),
  }
}

const severityOf = ({ state }: KeyHealth): number => (state.kind === 'closed' ? 0 : state.severity)
const remainingOf = ({ state }: KeyHealth): number => (state.kind === 'open' ? state.remaining_ms : 0)

function resultFor(state: BreakerState): Paused {
  if (state.kind !== 'open') return 'half-open'
  return state.cause === 'failures' ? 'breaker-open' : 'cooling'
}
