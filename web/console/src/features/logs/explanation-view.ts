import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import type { Attempt, CandidateResult, Explanation, StepTime } from '@tollgate/contracts/relay/usage-event'
import { ATTEMPT_LOOKS } from '@tollgate/domain/display/status-tone'
import type { Tone } from '@tollgate/domain/display/tone'

/** One line of the waterfall. Places are parts of the whole, from 0 to 1. */
export type Bar = {
  readonly key: string
  readonly kind: 'step' | 'attempt'
  readonly name: StepTime['step'] | { readonly attempt: number }
  readonly from: number
  readonly width: number
  /** The first byte inside an attempt's bar. */
  readonly mark: number | undefined
  readonly started_ms: number
  readonly duration_ms: number
  readonly tone: Tone
  readonly attempt: Attempt | undefined
}

/** The steps in their order, each attempt below the dispatch that made it, on one time axis. */
export function toBars({ steps, attempts }: Pick<Explanation, 'steps' | 'attempts'>): {
  readonly total_ms: number
  readonly bars: readonly Bar[]
} {
  const total_ms = Math.max(1, ...steps.map((step) => step.ended_ms), ...attempts.map((attempt) => attempt.ended_ms))
  const place = (started: number, ended: number): Pick<Bar, 'from' | 'width' | 'started_ms' | 'duration_ms'> => ({
    from: started / total_ms,
    width: Math.max(0, ended - started) / total_ms,
    started_ms: started,
    duration_ms: Math.max(0, ended - started),
  })
  const ofAttempts = attempts.map((attempt, index): Bar => ({
    key: `attempt-${index}`,
    kind: 'attempt',
    name: { attempt: index + 1 },
    ...place(attempt.started_ms, attempt.ended_ms),
    mark: attempt.first_byte_ms === undefined ? undefined : attempt.first_byte_ms / total_ms,
    tone: ATTEMPT_LOOKS[attempt.outcome].tone,
    attempt,
  }))
  const bars = steps.flatMap((step): readonly Bar[] => {
    const bar: Bar = {
      key: step.step,
      kind: 'step',
      name: step.step,
      ...place(step.started_ms, step.ended_ms),
      mark: undefined,
      tone: 'blue',
      attempt: undefined,
    }
    return step.step === 'dispatch' ? [bar, ...ofAttempts] : [bar]
  })
  // A relay that died in dispatch left attempts without the step.
  return { total_ms, bars: steps.some(({ step }) => step === 'dispatch') ? bars : [...bars, ...ofAttempts] }
}

export type LedgerView = {
  readonly held: number
  readonly token_held: number
  readonly charged: number
  /** Amount returned when less was used than held. */
  readonly returned: number
  /** Amount taken beyond the hold. */
  readonly added: number
  readonly balance: number | undefined
}

/** Held, charged, returned: the three always add up. */
export function toLedger(
  explanation: Pick<Explanation, 'wallet_held' | 'token_held' | 'spendable_after_reserve'>,
  charged: number,
): LedgerView {
  return {
    held: explanation.wallet_held,
    token_held: explanation.token_held,
    charged,
    returned: Math.max(0, explanation.wallet_held - charged),
    added: Math.max(0, charged - explanation.wallet_held),
    balance: explanation.spendable_after_reserve ?? undefined,
  }
}

/** The used ones first, in the order of their attempts; then the others by priority and weight. */
export function orderedCandidates({ candidates, attempts }: Pick<Explanation, 'candidates' | 'attempts'>): readonly CandidateResult[] {
  const turnOf = ({ channel_id, model }: CandidateResult): number =>
    attempts.findIndex((attempt) => attempt.channel_id === channel_id && attempt.model === model)
  const used = candidates.filter(({ result }) => result === 'chosen')
  const others = candidates.filter(({ result }) => result !== 'chosen')
  return [
    ...used.toSorted((left, right) => turnOf(left) - turnOf(right)),
    ...others.toSorted((left, right) => right.priority - left.priority || right.weight - left.weight),
  ]
}

/** A result as it is shown: a chosen channel whose last attempt failed was tried, not used. */
export function shownResult(
  { channel_id, model, result }: CandidateResult,
  attempts: readonly Attempt[],
): { readonly text: CandidateResult['result'] | 'failed'; readonly tone: Tone } {
  const last =
    result === 'chosen' ? attempts.findLast((attempt) => attempt.channel_id === channel_id && attempt.model === model) : undefined
  return last === undefined || last.outcome === 'answered'
    ? { text: result, tone: RESULT_TONES[result] }
    : { text: 'failed', tone: ATTEMPT_LOOKS[last.outcome].tone }
}

const RESULT_TONES = {
  chosen: 'green',
  'not-drawn': 'grey',
  'lower-priority': 'grey',
  'already-tried': 'grey',
  disabled: 'grey',
  'auto-disabled': 'red',
  cooling: 'orange',
  'breaker-open': 'orange',
  'half-open': 'orange',
  'keys-out': 'red',
  'limit-reached': 'orange',
  unsupported: 'grey',
  'off-schedule': 'grey',
  slower: 'grey',
  costlier: 'grey',
  'other-region': 'grey',
} as const satisfies Record<CandidateResult['result'], Tone>

export const FACTOR_NAMES = [
  'model_ratio',
  'completion_ratio',
  'group_ratio',
  'cache_ratio',
  'cache_creation_ratio',
  'cache_creation_1h_ratio',
  'image_ratio',
  'video_ratio',
  'image_cache_ratio',
  'image_completion_ratio',
  'audio_ratio',
  'audio_cache_ratio',
  'reasoning_ratio',
  'audio_completion_ratio',
  'model_price',
  'size_ratio',
  'quality_ratio',
  'tier_ratio',
  'hours_ratio',
  'tool_price',
  'quota_per_unit',
  'unit',
] as const
export type FactorName = (typeof FACTOR_NAMES)[number]

/** A factor's name when we have a text for it; names of later versions are shown as they are. */
export function knownFactor(name: string): FactorName | undefined {
  return FACTOR_NAMES.find((known) => known === name)
}

/** Text that a person may send to support: ids, times, numbers and outcomes; no key, prompt, answer, address or upstream text. */
export function supportText({ log, quote, usage, explanation }: LogExplanation): string {
  const lines = [
    `request_id: ${log.request_id}`,
    `log_id: ${log.id}`,
    `time: ${new Date(log.created_at * 1_000).toISOString()}`,
    `model: ${log.model_name}`,
    `group: ${log.group}`,
    `state: ${log.state}`,
    `charge: ${log.quota}`,
    `stream: ${log.is_stream}`,
    ...(usage === null ? [] : [`tokens: ${usage.prompt_tokens} + ${usage.completion_tokens} (${usage.source})`]),
    ...(quote === null ? [] : [`price_version: ${quote.price_version}`]),
    ...(explanation === null ? [] : courseLines(explanation)),
  ]
  return lines.join('\n')
}

function courseLines({ steps, attempts, wallet_held }: Explanation): readonly string[] {
  return [
    `held: ${wallet_held}`,
    `steps: ${steps.map(({ step, started_ms, ended_ms }) => `${step} ${Math.round(started_ms)}–${Math.round(ended_ms)} ms`).join(', ')}`,
    ...attempts.map(
      ({ channel_id, outcome, status, started_ms, ended_ms, group }, index) =>
        `attempt ${index + 1}: ${outcome}${status === undefined ? '' : ` ${status}`}, ${Math.round(ended_ms - started_ms)} ms${channel_id === 0 ? '' : `, channel ${channel_id}`}${group === undefined ? '' : `, group ${group}`}`,
    ),
  ]
}
