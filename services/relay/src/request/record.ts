import type { TokenRecord } from '@tollgate/contracts/internal'
import type { Quote, Usage } from '@tollgate/contracts/quote'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { Attempt, CandidateResult, ClientDisconnect, Explanation, StepLine, UsageEventBody } from '@tollgate/contracts/usage-event'
import { visible } from '@tollgate/telemetry/visible'
import type { Lease } from '@tollgate/ledger/limits/shared-limits'
import type { ChannelKey } from '../health/channel-health.ts'
import type { RequestContext } from './context.ts'
import type { Admission } from '../pipeline/admit.ts'
import type { Caller } from '../pipeline/identify.ts'
import type { CostEstimate } from '../pipeline/quote.ts'
import type { ParsedRequest } from '../pipeline/read.ts'
import type { RequestLimits } from '../limits/request-limits.ts'
import type { Hold } from '../pipeline/reserve.ts'

/** Everything that is known of one admitted request; its event is a projection of this. */
export type RequestRecord = {
  /** What draft and event say alike, as JSON. */
  readonly fixed: Fixed
  readonly context: RequestContext
  readonly caller: Caller
  readonly costEstimate: CostEstimate
  readonly model: string
  readonly group: string
  reasoning_effort: string | undefined
  /** Whatever is reported, nothing is charged. */
  readonly is_free: boolean
  is_stream: boolean
  readonly limits: RequestLimits
  hold: Hold | undefined
  /** Places in the limits of group, model and channel; given back with the settlement. */
  leases: readonly Lease[]
  channel: ChannelSnapshot | undefined
  /** Whose health the end of the last attempt tells of. */
  channelKey: ChannelKey | undefined
  upstream_model: string
  first_token_ms: number
  raw_usage: string | undefined
  /** What the conversion of the last attempt could not carry over. */
  warnings: readonly string[]
  client_disconnect: ClientDisconnect | undefined
  readonly attempts: Attempt[]
  candidates: CandidateResult[]
}

export type Ending = {
  readonly state: UsageEventBody['state']
  readonly usage: Usage
  readonly charge: number
  readonly client_status: number
  readonly error_code?: string | undefined
  readonly error_message?: string | undefined
  readonly ended_by: UsageEventBody['ended_by']
}

/** Upstream's time to the first byte when there was none. */
const NO_FIRST_TOKEN = -1000
const MAX_EVENT = 4096
const MAX_CANDIDATES = 12
const MAX_WARNINGS = 24

type Input = {
  readonly caller: Caller
  readonly request: ParsedRequest
  readonly admission: Admission
  readonly costEstimate: CostEstimate
}

/** Opens the journal when the request is about to be admitted. The parsed body is not kept: streams outlive it. */
export function createRequestRecord(context: RequestContext, { caller, request, admission, costEstimate }: Input): RequestRecord {
  return {
    fixed: encodeFixed(context, { caller, request, admission, costEstimate }),
    context,
    caller,
    costEstimate,
    model: request.chat.model,
    group: admission.group,
    reasoning_effort: request.chat.reasoning_effort,
    is_free: request.operation.isFree === true,
    is_stream: request.chat.is_stream,
    limits: admission.limits,
    hold: undefined,
    leases: [],
    channel: undefined,
    channelKey: undefined,
    upstream_model: request.chat.model,
    first_token_ms: NO_FIRST_TOKEN,
    raw_usage: undefined,
    warnings: [],
    client_disconnect: undefined,
    attempts: [],
    candidates: [],
  }
}

type FixedFields = Pick<
  UsageEventBody,
  'by' | 'user_id' | 'token_id' | 'username' | 'token_name' | 'group' | 'model_name' | 'started_at' | 'quote'
>
/** In parts, of which many requests share the first two: a stream keeps them for as long as it lives. */
type Fixed = { readonly who: string; readonly quote: string; readonly rest: string; readonly client: string }

type Who = Pick<FixedFields, 'by' | 'user_id' | 'token_id' | 'username' | 'token_name'>
const whoOf = encodedOnce(({ user_id, token_id, username, name }: TokenRecord): Who => ({
  by: 'relay',
  user_id,
  token_id,
  username,
  token_name: name,
}))
const quoteOf = encodedOnce((quote: Quote): Pick<FixedFields, 'quote'> => ({ quote }))

/** JSON of what belongs to an object that many requests share, without its braces. */
function encodedOnce<T extends object>(toJson: (value: T) => object): (value: T) => string {
  const known = new WeakMap<T, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const text = JSON.stringify(toJson(value)).slice(1, -1)
    known.set(value, text)
    return text
  }
}

function encodeFixed(context: RequestContext, { caller: { record }, request, admission, costEstimate }: Input): Fixed {
  const body: Omit<FixedFields, keyof Who | 'quote'> = {
    group: admission.group,
    model_name: visible(request.chat.model, 200),
    started_at: context.clock.started_at,
  }
  const client: Explanation['client'] = {
    ip: context.ip,
    user_agent: visible(context.incoming.headers['user-agent'] ?? '', 160),
    method: context.incoming.method ?? '',
    path: visible(context.path, 160),
  }
  return { who: whoOf(record), quote: quoteOf(costEstimate.quote), rest: JSON.stringify(body).slice(1, -1), client: JSON.stringify(client) }
}

/** How draft and event begin. */
const openingOf = ({ who, quote, rest }: Fixed): string => `{${who},${quote},${rest},`

/** What a reaper would complete to the event's body (complete-draft.ts). */
export function pendingEventOf({ fixed, is_stream, reasoning_effort }: RequestRecord): string {
  const effort = reasoning_effort === undefined ? '' : `,"reasoning_effort":${JSON.stringify(reasoning_effort)}`
  return `${openingOf(fixed)}"is_stream":${is_stream}${effort},"explanation":{"client":${fixed.client}}}`
}

/** The event's body, at most 4 KB: candidates go first, then the texts of attempts, then the rest of the explanation. */
export function encodeEvent(record: RequestRecord, ending: Ending): string {
  const full = toBody(record, ending, explain(record, record.candidates.slice(0, MAX_CANDIDATES), record.candidates.length))
  if (fits(full)) return full
  const lean = { ...explain(record, record.candidates.slice(0, 3), record.candidates.length), is_cut: true, raw_usage: null }
  const leaner = { ...lean, attempts: lean.attempts.slice(0, 4).map((attempt) => ({ ...attempt, message: undefined })) }
  const leanest = { ...leaner, candidates: [], candidates_cut: record.candidates.length, attempts: leaner.attempts.slice(0, 1), steps: [] }
  const texts = [lean, leaner, leanest].map((explanation) => toBody(record, ending, explanation))
  return texts.find(fits) ?? texts.at(-1) ?? full
}

const fits = (text: string) => text.length <= MAX_EVENT && Buffer.byteLength(text) <= MAX_EVENT

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
    ...(record.client_disconnect === undefined ? {} : { client_disconnect: record.client_disconnect }),
    is_cut: false,
  }
}

/** JSON of a UsageEventBody. */
function toBody(record: RequestRecord, ending: Ending, explanation: Explained): string {
  const { context, channel, hold, fixed } = record
  const body: Omit<UsageEventBody, keyof FixedFields | 'explanation'> & { readonly explanation: Explained } = {
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
    error_message: ending.error_message === undefined ? undefined : visible(ending.error_message, 300),
    ended_by: ending.ended_by,
    reasoning_effort: record.reasoning_effort,
    explanation,
  }
  // The explanation is the last member, and open for one more of its own: both braces are closed anew.
  return `${openingOf(fixed)}${JSON.stringify(body).slice(1, -2)},"client":${fixed.client}}}`
}
