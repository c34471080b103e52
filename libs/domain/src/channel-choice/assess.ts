import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CandidateVerdict } from '@tollgate/contracts/usage-event'
import type { BreakerState } from '../channel-health/breaker.ts'
import { ONE_KEY, type ChoiceInput, type KeyIds } from './choice.ts'

type Verdict = CandidateVerdict['verdict']

/** What one channel is worth to one request, with those of its keys that are equally well. */
export type Assessed =
  | { readonly kind: 'usable'; readonly channel: ChannelSnapshot; readonly key_ids: KeyIds; readonly is_probe: boolean }
  /** It could be called, but its breaker would rather not. */
  | {
      readonly kind: 'resting'
      readonly channel: ChannelSnapshot
      readonly key_ids: KeyIds
      readonly verdict: Verdict
      readonly badness: number
      readonly rest_ms: number
    }
  | { readonly kind: 'out'; readonly channel: ChannelSnapshot; readonly verdict: Verdict }

/** Looks at status, keys, what the caller rules out and health, in this order. */
export function assess(channel: ChannelSnapshot, { keysOf, tried, skip, healthOf }: ChoiceInput): Assessed {
  const out = (verdict: Verdict): Assessed => ({ kind: 'out', channel, verdict })
  const own = tried.get(channel.id)
  if (own === undefined && channel.status === ChannelStatus.autoDisabled) return out('auto-disabled')
  if (own === undefined && channel.status !== ChannelStatus.enabled) return out('disabled')
  const key_ids = keysOf?.(channel) ?? ONE_KEY
  if (key_ids.length === 0) return out('keys-out')
  const untried = own === undefined ? key_ids : key_ids.filter((key_id) => !own.has(key_id))
  if (untried.length === 0 || channel.status !== ChannelStatus.enabled) return out('already-tried')
  const reason = skip?.(channel)
  if (reason !== undefined) return out(reason)
  const health = healthOf?.(channel)
  return health === undefined ? { kind: 'usable', channel, key_ids: untried, is_probe: false } : weigh(channel, untried, health)
}

type Weighed = { readonly key_id: string; readonly state: BreakerState }

function weigh(channel: ChannelSnapshot, key_ids: KeyIds, health: (key_id: string) => BreakerState): Assessed {
  const all = key_ids.map((key_id): Weighed => ({ key_id, state: health(key_id) }))
  const well = all.filter(({ state }) => state.kind === 'closed')
  if (well.length > 0) return { kind: 'usable', channel, key_ids: well.map(({ key_id }) => key_id), is_probe: false }
  const ready = all.filter(({ state }) => state.kind === 'half-open' && !state.is_probing)
  if (ready.length > 0) return { kind: 'usable', channel, key_ids: ready.map(({ key_id }) => key_id), is_probe: true }
  const [least] = all.toSorted((a, b) => badnessOf(a) - badnessOf(b) || restOf(a) - restOf(b))
  if (least === undefined) return { kind: 'out', channel, verdict: 'keys-out' }
  return {
    kind: 'resting',
    channel,
    key_ids: [least.key_id],
    verdict: verdictFor(least.state),
    badness: badnessOf(least),
    rest_ms: restOf(least),
  }
}

const badnessOf = ({ state }: Weighed): number => (state.kind === 'closed' ? 0 : state.badness)
const restOf = ({ state }: Weighed): number => (state.kind === 'open' ? state.rest_ms : 0)

function verdictFor(state: BreakerState): Verdict {
  if (state.kind !== 'open') return 'half-open'
  return state.cause === 'failures' ? 'breaker-open' : 'cooling'
}
