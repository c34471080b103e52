import type { TokenRecord } from '@tollgate/contracts/internal-api'
import type { Quote, Usage } from '@tollgate/contracts/quote'
import type { CandidateResult, Explanation, RecordedChoice, StepLine, UsageEventBody } from '@tollgate/contracts/usage-event'
import { restOf } from '@tollgate/domain/channel-choice/record-choice'
import { visible } from '@tollgate/telemetry/visible'
import type { RequestContext } from './context.ts'
import type { ResponseOutcome } from './response-outcome.ts'
import type { RequestRecord } from './record.ts'

/** A priced outcome. */
export type Ending = Omit<ResponseOutcome, 'usage'> & {
  readonly state: UsageEventBody['state']
  readonly usage: Usage
  readonly charge: number
}

const MAX_EVENT_BYTES = 4096
const MAX_CANDIDATES = 12
const MAX_WARNINGS = 24

type FixedBody = Pick<
  UsageEventBody,
  'by' | 'user_id' | 'token_id' | 'username' | 'token_name' | 'group' | 'model_name' | 'started_at' | 'quote'
>
/** JSON in parts. Many requests share the strings of the first two, which a stream keeps until it ends. */
export type FixedFields = { readonly account: string; readonly quote: string; readonly rest: string; readonly client: string }

type AccountFields = Pick<FixedBody, 'by' | 'user_id' | 'token_id' | 'username' | 'token_name'>
const encodeAccount = memoizedMembers(({ user_id, token_id, username, name }: TokenRecord): AccountFields => ({
  by: 'relay',
  user_id,
  token_id,
  username,
  token_name: name,
}))
const encodeQuote = memoizedMembers((quote: Quote): Pick<FixedBody, 'quote'> => ({ quote }))

/** Encodes an object to its JSON without the braces, once per object. */
function memoizedMembers<T extends object>(toJson: (value: T) => object): (value: T) => string {
  const known = new WeakMap<T, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const text = JSON.stringify(toJson(value)).slice(1, -1)
    known.set(value, text)
    return text
  }
}

type FixedInput = { readonly record: TokenRecord; readonly model: string; readonly group: string; readonly quote: Quote }

export function encodeFixedFields(context: RequestContext, { record, model, group, quote }: FixedInput): FixedFields {
  const body: Omit<FixedBody, keyof AccountFields | 'quote'> = {
    group,
    model_name: visible(model, 200),
    started_at: context.clock.started_at,
    ...(context.clientApi.name === 'anthropic' ? { is_claude: true } : {}),
  }
  const client: Explanation['client'] = {
    ip: context.ip,
    user_agent: visible(context.incoming.headers['user-agent'] ?? '', 160),
    method: context.incoming.method ?? '',
    path: visible(context.path, 160),
  }
  return {
    account: encodeAccount(record),
    quote: encodeQuote(quote),
    rest: JSON.stringify(body).slice(1, -1),
    client: JSON.stringify(client),
  }
}

/** The beginning that the pending event and the final event share. */
const openingOf = ({ account, quote, rest }: FixedFields): string => `{${account},${quote},${rest},`

/** The event as far as it is known before the call. If this process dies, the reaper completes it to a usage event. */
export function encodePendingEvent({ fixed, is_stream, reasoning_effort }: RequestRecord): string {
  const effort = reasoning_effort === undefined ? '' : `,"reasoning_effort":${JSON.stringify(reasoning_effort)}`
  return `${openingOf(fixed)}"is_stream":${is_stream}${effort},"explanation":{"client":${fixed.client}}}`
}

/** The event's body, at most 4 KB: candidates are dropped first, then the texts of attempts, then the rest of the explanation. */
export function encodeUsageEvent(record: RequestRecord, ending: Ending): string {
  const full = encodeBody(record, ending, explain(record, record.candidates.slice(0, MAX_CANDIDATES), record.candidates.length))
  if (fits(full)) return full
  const lean = { ...explain(record, record.candidates.slice(0, 3), record.candidates.length), is_cut: true, raw_usage: null }
  const leaner = { ...lean, attempts: lean.attempts.slice(0, 4).map((attempt) => ({ ...attempt, message: undefined })), choice: undefined }
  const leanest = { ...leaner, candidates: [], candidates_cut: record.candidates.length, attempts: leaner.attempts.slice(0, 1), steps: [] }
  const texts = [lean, leaner, leanest].map((explanation) => encodeBody(record, ending, explanation))
  return texts.find(fits) ?? texts.at(-1) ?? full
}

const fits = (text: string) => text.length <= MAX_EVENT_BYTES && Buffer.byteLength(text) <= MAX_EVENT_BYTES

type Explained = Omit<Explanation, 'client' | 'steps'> & { readonly steps: StepLine }

function explain(record: RequestRecord, candidates: readonly CandidateResult[], total: number): Explained {
  const { context, hold, warnings } = record
  return {
    steps: context.clock.steps(),
    attempts: record.attempts,
    candidates: [...candidates],
    candidates_cut: Math.max(0, total - candidates.length),
    wallet_held: hold?.wallet_held ?? 0,
    token_held: hold?.token_held ?? 0,
    spendable_after_reserve: hold?.spendable,
    warnings: warnings.length === 0 ? [] : [...new Set(warnings)].slice(0, MAX_WARNINGS),
    raw_usage: record.raw_usage,
    choice: record.choice === undefined ? undefined : withRest(record.choice, record.candidates.slice(candidates.length)),
    ...(record.client_disconnect === undefined ? {} : { client_disconnect: record.client_disconnect }),
    is_cut: false,
  }
}

const withRest = (choice: RecordedChoice, left_out: readonly CandidateResult[]): RecordedChoice =>
  left_out.length === 0 ? choice : { ...choice, rest: restOf(left_out) }

/** JSON of a UsageEventBody. */
function encodeBody(record: RequestRecord, ending: Ending, explanation: Explained): string {
  const { context, channel, hold, fixed } = record
  const body: Omit<UsageEventBody, keyof FixedBody | 'explanation'> & { readonly explanation: Explained } = {
    state: ending.state,
    upstream_model: visible(record.upstream_model, 200),
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? '',
    channel_type: channel?.type ?? 0,
    is_stream: record.is_stream,
    duration_ms: context.clock.elapsed(),
    first_token_ms: record.first_token_ms,
    usage: ending.usage,
    token_charge: (hold?.token_held ?? 0) > 0 ? ending.charge : 0,
    client_status: ending.client_status,
    error_code: ending.error_code,
    error_type: ending.error_type === undefined ? undefined : visible(ending.error_type, 100),
    error_message: ending.error_message === undefined ? undefined : visible(ending.error_message, 300),
    ended_by: ending.ended_by,
    reasoning_effort: record.reasoning_effort,
    session: record.session,
    task: record.task,
    explanation,
  }
  // The explanation is the last member and misses `client`: both closing braces are cut and written again.
  return `${openingOf(fixed)}${JSON.stringify(body).slice(1, -2)},"client":${fixed.client}}}`
}
