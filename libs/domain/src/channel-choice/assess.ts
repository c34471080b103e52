import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { CandidateVerdict } from '@tollgate/contracts/usage-event'
import type { BreakerState } from '../channel-health/breaker.ts'
import { ONE_KEY, type ChoiceInput, type KeyMarks } from './choice.ts'

type Verdict = CandidateVerdict['verdict']

/** What one channel is worth to one request, with those of its keys that are equally well. */
export type Assessed =
  | { readonly kind: 'usable'; readonly channel: ChannelSnapshot; readonly marks: KeyMarks; readonly is_probe: boolean }
  /** It could be called, but its breaker would rather not. */
  | {
      readonly kind: 'resting'
      readonly channel: ChannelSnapshot
      readonly marks: KeyMarks
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
  const marks = keysOf?.(channel) ?? ONE_KEY
  if (marks.length === 0) return out('keys-out')
  const untried = own === undefined ? marks : marks.filter((mark) => !own.has(mark))
  if (untried.length === 0 || channel.status !== ChannelStatus.enabled) return out('already-tried')
  const reason = skip?.(channel)
  if (reason !== undefined) return out(reason)
  const health = healthOf?.(channel)
  return health === undefined ? { kind: 'usable', channel, marks: untried, is_probe: false } : weigh(channel, untried, health)
}

type Weighed = { readonly mark: string; readonly state: BreakerState }

function weigh(channel: ChannelSnapshot, marks: KeyMarks, health: (mark: string) => BreakerState): Assessed {
  const all = marks.map((mark): Weighed => ({ mark, state: health(mark) }))
  const well = all.filter(({ state }) => state.kind === 'closed')
  if (well.length > 0) return { kind: 'usable', channel, marks: well.map(({ mark }) => mark), is_probe: false }
  const ready = all.filter(({ state }) => state.kind === 'half-open' && !state.is_probing)
  if (ready.length > 0) return { kind: 'usable', channel, marks: ready.map(({ mark }) => mark), is_probe: true }
  const [least] = all.toSorted((a, b) => badnessOf(a) - badnessOf(b) || restOf(a) - restOf(b))
  if (least === undefined) return { kind: 'out', channel, verdict: 'keys-out' }
  return {
    kind: 'resting',
    channel,
    marks: [least.mark],
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
