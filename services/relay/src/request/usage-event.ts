import type { Usage } from '@tollgate/contracts/pricing/quote'
import { encodeEventText, encodePendingText, type ExplanationFields } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import type { CandidateResult, ModelFallback, RecordedChoice, UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { restOf } from '@tollgate/domain/channel-choice/record-choice'
import { visible } from '@tollgate/telemetry/visible'
import { finalOpeningOf } from './event-opening.ts'
import type { ModelChain } from './admission.ts'
import type { Calls } from './calls.ts'
import type { Admitted, Ended, Held } from './phases.ts'
import type { ResponseOutcome } from './response-outcome.ts'

/** A priced outcome. */
export type Ending = Omit<ResponseOutcome, 'usage'> & {
  readonly state: UsageEventBody['state']
  readonly usage: Usage
  readonly charge: number
}

const MAX_EVENT_BYTES = 4096
const MAX_CANDIDATES = 12
const MAX_WARNINGS = 24

/** The event as far as it is known before the call. If this process dies, the reaper completes it to a usage event. */
export function encodePendingEvent({ opening, request: { chat } }: Admitted): string {
  return encodePendingText(opening, { is_stream: chat.is_stream, reasoning_effort: chat.reasoning_effort })
}

/** Sources of the event. */
type Facts = {
  readonly held: Held
  readonly calls: Calls
  readonly is_stream: boolean
  readonly first_token_ms: number
  readonly raw_usage: string | undefined
  readonly warnings: readonly string[]
  readonly task: UsageEventBody['task']
}

function factsOf(ended: Ended): Facts {
  if (ended.kind === 'delivered') {
    const { delivered } = ended
    const { calls, is_stream, first_token_ms, raw_usage, warnings, task } = delivered
    return { held: delivered, calls, is_stream, first_token_ms, raw_usage, warnings, task }
  }
  const { request, progress } = ended.failed
  const { calls, usageReader, first_token_ms } = progress
  const is_stream = usageReader !== undefined || request.chat.is_stream
  return { held: ended.failed, calls, is_stream, first_token_ms, raw_usage: undefined, warnings: calls.warnings, task: undefined }
}

/**
 * The event's body, at most 4 KB unless its quote and usage alone have more, which the charge needs. The explanation loses candidates first,
 * then the texts of attempts, the choice, and the attempts between the first and the last.
 */
export function encodeUsageEvent(ended: Ended, ending: Ending): string {
  const facts = factsOf(ended)
  const { candidates } = facts.calls
  let text = encodeBody(facts, ending, explain(facts, candidates.slice(0, MAX_CANDIDATES)))
  if (fits(text)) return text
  for (const explanation of shorter(explain(facts, candidates.slice(0, 3)), candidates.length)) {
    text = encodeBody(facts, ending, explanation)
    if (fits(text)) break
  }
  return text
}

/** Characters of an attempt's text that say what was wrong. */
const MESSAGE_START = 60

/** The explanation without ever more of it. */
function* shorter(given: ExplanationFields, candidates: number): Generator<ExplanationFields> {
  const lean = { ...given, is_cut: true as const, raw_usage: undefined }
  yield lean
  const { attempts } = lean
  yield { ...lean, attempts: attempts.map((one) => ({ ...one, message: one.message?.slice(0, MESSAGE_START).toWellFormed() })) }
  const terse = attempts.map((one) => ({ ...one, message: undefined }))
  yield { ...lean, attempts: terse }
  const leaner = { ...lean, choice: undefined }
  yield { ...leaner, attempts: terse }
  yield { ...leaner, attempts: terse.length > 4 ? [...terse.slice(0, 2), ...terse.slice(-2)] : terse }
  yield { ...leaner, attempts: terse.slice(-1), candidates: [], candidates_cut: candidates, steps: [] }
}

const fits = (text: string) => text.length <= MAX_EVENT_BYTES && Buffer.byteLength(text) <= MAX_EVENT_BYTES

function explain({ held, calls, warnings, raw_usage }: Facts, candidates: readonly CandidateResult[]): ExplanationFields {
  const { context, hold, progress, admission } = held
  const { client_disconnect } = progress
  const { bodies } = context.hashes
  return {
    steps: context.clock.steps(),
    attempts: [...calls.attempts],
    candidates: [...candidates],
    candidates_cut: calls.candidates.length > candidates.length ? calls.candidates.length - candidates.length : undefined,
    wallet_held: hold.wallet_held,
    token_held: hold.token_held,
    spendable_after_reserve: hold.spendable,
    ...(hold.budgets === undefined ? {} : { budgets: [...hold.budgets] }),
    warnings: warnings.length === 0 ? undefined : [...new Set(warnings)].slice(0, MAX_WARNINGS),
    raw_usage,
    choice: calls.choice === undefined ? undefined : withRest(calls.choice, calls.candidates.slice(candidates.length)),
    ...(admission.chain === undefined || calls.passed.length === 0 ? {} : { fallback: fallbackOf(admission.chain, calls) }),
    ...(client_disconnect === undefined ? {} : { client_disconnect }),
    ...(bodies === undefined ? {} : { bodies }),
  }
}

/** In the order of the chain: some models are passed over at admission, others when their turn comes. */
function fallbackOf({ asked, by, models }: ModelChain, { passed }: Calls): ModelFallback {
  const inOrder = [asked, ...models].flatMap((model) => passed.filter((one) => one.model === model))
  return { asked: visible(asked, 200), by, passed: inOrder.map(({ model, reason }) => ({ model: visible(model, 100), reason })) }
}

const withRest = (choice: RecordedChoice, left_out: readonly CandidateResult[]): RecordedChoice =>
  left_out.length === 0 ? choice : { ...choice, rest: restOf(left_out) }

function encodeBody({ held, calls, is_stream, first_token_ms, task }: Facts, ending: Ending, explanation: ExplanationFields): string {
  const { channel } = calls
  return encodeEventText(finalOpeningOf(held, calls), {
    state: ending.state,
    by: 'relay',
    upstream_model: visible(calls.upstream_model, 200),
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? '',
    channel_type: channel?.type ?? 0,
    is_stream,
    duration_ms: held.context.clock.elapsed(),
    first_token_ms,
    usage: ending.usage,
    token_charge: held.hold.token_held > 0 ? ending.charge : 0,
    client_status: ending.client_status,
    error_code: ending.error_code,
    error_type: ending.error_type === undefined ? undefined : visible(ending.error_type, 100),
    error_message: ending.error_message === undefined ? undefined : visible(ending.error_message, 300),
    ended_by: ending.ended_by,
    reasoning_effort: calls.reasoning_effort,
    session: calls.session,
    task,
    explanation,
  })
}
