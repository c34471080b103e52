import { z } from 'zod'
import { ExplainedBudget } from '../pricing/budgets.ts'
import { CLIENT_DISCONNECT_ACTIONS } from './client-disconnected.ts'
import { Quote, Usage } from '../pricing/quote.ts'
import { FALLBACK_SOURCES, PASSED_REASONS } from './model-fallbacks.ts'
import { ROUTING_STRATEGIES } from './routing-strategies.ts'
import { TaskSubmission } from '../tasks/tasks.ts'
import { Millis, Quota, UnixMillis } from '../units.ts'

/**
 * The usage event, which the relay or the reaper appends to `use:{shard}` in the same script that changes the balance. The worker
 * turns it into a log row. At most 4 KB: `explanation` is shortened, and `is_cut` is set; quote and usage
 * stay whole.
 */
export const Attempt = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  channel_type: z.int(),
  upstream_model: z.string(),
  /** The group whose channel it was; absent: the first of the request. */
  group: z.string().optional(),
  /** The model that it was called for; absent: the requested one. */
  model: z.string().optional(),
  /** Milliseconds since the start of the request, as the other times. */
  started_ms: Millis,
  first_byte_ms: Millis.optional(),
  ended_ms: Millis,
  outcome: z.enum(['answered', 'refused', 'limited', 'timeout', 'network', 'malformed', 'aborted']),
  /** HTTP status of the upstream's answer; absent when there was none. */
  status: z.int().optional(),
  /** Id of the key that was used, for a channel with several keys. A hash, so it does not reveal the key. */
  key: z.string().optional(),
  /** The upstream's error code and text, cleaned and cut to 300 characters; for administrators only. */
  code: z.string().optional(),
  message: z.string().optional(),
  retry: z.enum(['no', 'other-channel', 'same-channel']).optional(),
})
export type Attempt = z.infer<typeof Attempt>

/** Why a channel was or was not used. `cooling`: upstream itself asked for a pause, or refused the key. */
export const CandidateResult = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  priority: z.int(),
  weight: z.int(),
  result: z.enum([
    'chosen',
    'not-drawn',
    'lower-priority',
    'already-tried',
    'disabled',
    'auto-disabled',
    'cooling',
    /** Its breaker is open: too many calls failed lately. */
    'breaker-open',
    /** After a pause one call at a time may try it, and one is under way. */
    'half-open',
    /** All of its keys fail. */
    'keys-out',
    'limit-reached',
    'unsupported',
    /** Its setting `schedule` lets it serve at other hours. */
    'off-schedule',
    /** The group's strategy preferred a faster one, or one with a lower `cost_ratio` or effective cost. */
    'slower',
    'costlier',
    /** A channel of the relay's region, or of none, was preferred. */
    'other-region',
  ]),
  /** The model that it was a candidate for; absent: the requested one. */
  model: z.string().optional(),
  /** Rule that decided for the chosen candidate; absent: drawn by weight. */
  chosen_by: z.enum(['affinity', 'probe', 'least-bad']).optional(),
  /** Rest of the pause of a candidate that pauses. */
  remaining_ms: z.int().nonnegative().optional(),
})
export type CandidateResult = z.infer<typeof CandidateResult>

/** One choice of a channel and key, with what decided it. */
export const RecordedDraw = z.object({
  /** Its random numbers follow from the seed and this number; absent: its place in the list. */
  n: z.int().nonnegative().optional(),
  /** Attempts that were left after it. */
  left: z.int(),
  /** One letter per candidate, in their order: what it was worth then (`STATE_LETTERS` in libs/domain/src/channel-choice/record-choice.ts). */
  states: z.string(),
  /** Ids of the candidates and their group, if the request could use several groups; absent: all candidates of the explanation. */
  ids: z.array(z.int()).optional(),
  group: z.string().optional(),
  /** The model that was drawn for; absent: the requested one. Keys that another model has tried count as untried. */
  model: z.string().optional(),
  /** Candidates that paused were left to the end, because another group was left. */
  needs_usable: z.literal(true).optional(),
  strategy: z.enum(ROUTING_STRATEGIES).optional(),
  /** Latency in milliseconds, `cost_ratio` or US dollars for a million useful tokens of each usable candidate, by which the strategy goes. */
  figures: z.array(z.number().nullable()).optional(),
  /** A letter per figure of `effective-cost`: `m` measured, `l` the list price, because there were too few requests. */
  bases: z.string().optional(),
  /** Region of each usable candidate, if the relay is in a region. */
  regions: z.array(z.string()).optional(),
  /** Severity and remaining milliseconds of each candidate that paused, if one of them had to be chosen. */
  pauses: z.array(z.number()).optional(),
  /** Keys among which one was chosen, where the channel has several, or their number if there were too many. */
  keys: z.array(z.string()).optional(),
  key_count: z.int().optional(),
  /** Counter of a chosen channel that uses its keys in turn. */
  turn: z.int().optional(),
})
export type RecordedDraw = z.infer<typeof RecordedDraw>

/** Facts from which the choice of channels can be repeated, together with the candidates. */
export const RecordedChoice = z.object({
  /** 32 bits, from which all random numbers of the choice follow. */
  seed: z.int().nonnegative(),
  /** Names the conversation. */
  affinity_key: z.int().optional(),
  /** The relay's. */
  region: z.string().optional(),
  /** Weights counted as they are. */
  exact_weights: z.literal(true).optional(),
  /** Id, priority and weight of each candidate that the list leaves out. */
  rest: z.array(z.int()).optional(),
  draws: z.array(RecordedDraw),
})
export type RecordedChoice = z.infer<typeof RecordedChoice>

/** A request with a chain of models of which the first did not serve it. The served one is the row's model. */
export const ModelFallback = z.object({
  asked: z.string(),
  by: z.enum(FALLBACK_SOURCES),
  /** Models that were passed over, in their order, and why. */
  passed: z.array(z.object({ model: z.string(), reason: z.enum(PASSED_REASONS) })),
})
export type ModelFallback = z.infer<typeof ModelFallback>

export const STEPS = ['identify', 'read', 'admit', 'quote', 'reserve', 'dispatch', 'deliver', 'settle'] as const
export const StepTime = z.object({ step: z.enum(STEPS), started_ms: Millis, ended_ms: Millis })
export type StepTime = z.infer<typeof StepTime>

/** Steps as an event stores them: name, end, name, end… Each step starts when the previous one ends, the first with the request. */
export type StepLine = readonly (StepTime['step'] | number)[]

export function stepTimesOf(line: StepLine): { step: string; started_ms: number; ended_ms: number }[] {
  return Array.from({ length: line.length >> 1 }, (_, nth) => ({
    step: String(line[2 * nth]),
    started_ms: nth === 0 ? 0 : Number(line[2 * nth - 1]),
    ended_ms: Number(line[2 * nth + 1]),
  }))
}

/** Events of earlier versions contain the steps as objects. */
const isStepLine = (value: unknown): value is StepLine =>
  Array.isArray(value) && value.every((one, at) => typeof one === (at % 2 === 0 ? 'string' : 'number'))

/** Treatment of an upstream call whose client disconnected. */
export const ClientDisconnect = z.object({
  policy: z.enum(CLIENT_DISCONNECT_ACTIONS),
  /** When the client disconnected, in milliseconds since the start of the request. */
  left_ms: Millis,
  /** `drain`: a limit of time or bytes was reached before the upstream finished. `cancel`: too many answers of the channel were drained. */
  is_capped: z.boolean(),
})
export type ClientDisconnect = z.infer<typeof ClientDisconnect>

/** SHA-256 in hexadecimal, and size, of the bytes of a body. */
const BodyHash = z.object({ sha256: z.string().max(64), bytes: z.int().nonnegative() })

/** The hashes of a request and its answer, of the bytes on the client's connection. */
export const HashedBodies = z.object({
  request: BodyHash,
  /** `is_cut`: the connection ended before the answer did; the hash is of the bytes until then. */
  answer: BodyHash.extend({ is_cut: z.boolean() }),
})
export type HashedBodies = z.infer<typeof HashedBodies>

export const Explanation = z.object({
  steps: z.array(StepTime),
  attempts: z.array(Attempt),
  candidates: z.array(CandidateResult),
  /** Number of candidates left out to keep the event small. */
  candidates_cut: z.int().nonnegative().default(0),
  /** Absent in rows of earlier versions and of responses in a realtime session. */
  choice: RecordedChoice.optional(),
  /** Absent: the requested model served the request, or it has no chain. */
  fallback: ModelFallback.optional(),
  /** Quota held before the call, from the wallet and from the token. */
  wallet_held: Quota,
  token_held: Quota,
  /** Spendable balance right after reserve, as returned by the script. */
  spendable_after_reserve: Quota.nullish(),
  /** Budgets that counted the request, as they were when it was admitted. */
  budgets: z.array(ExplainedBudget).optional(),
  /** Parts that the conversion between formats could not carry. */
  warnings: z.array(z.string()).default([]),
  /** Raw usage object of the upstream, at most 1 KB of JSON text. */
  raw_usage: z.string().nullish(),
  /** Present when the client disconnected before an upstream call ended. */
  client_disconnect: ClientDisconnect.optional(),
  /** Present when the token's receipts have hashes. */
  bodies: HashedBodies.optional(),
  client: z.object({ ip: z.string(), user_agent: z.string(), method: z.string(), path: z.string() }),
  is_cut: z.boolean().default(false),
})
export type Explanation = z.infer<typeof Explanation>

/** Cause of a request's end. */
export const EndedBy = z.enum(['complete', 'client-disconnected', 'upstream-failed', 'gateway-failed', 'reaper'])
export type EndedBy = z.infer<typeof EndedBy>

export const UsageEventBody = z.object({
  state: z.enum(['settled', 'estimated', 'released', 'late']),
  /** The service that wrote the event. */
  by: z.enum(['relay', 'reaper']),
  user_id: z.int(),
  /** 0 when only the wallet is charged (playground). */
  token_id: z.int(),
  username: z.string(),
  token_name: z.string(),
  group: z.string(),
  model_name: z.string(),
  upstream_model: z.string(),
  /** 0 when no channel answered. */
  channel_id: z.int(),
  channel_name: z.string(),
  channel_type: z.int(),
  is_stream: z.boolean(),
  started_at: UnixMillis,
  duration_ms: Millis,
  /** Time to the first byte of the answer; −1000 when there was none or the answer was not a stream. */
  first_token_ms: Millis,
  quote: Quote,
  usage: Usage,
  /** Quota taken from the token (0 for an unlimited token). */
  token_charge: Quota,
  /** Status and error code that the client received. */
  client_status: z.int(),
  error_code: z.string().nullish(),
  /** The error's type (Gemini: status) in the format of the client. */
  error_type: z.string().nullish(),
  error_message: z.string().nullish(),
  ended_by: EndedBy,
  reasoning_effort: z.string().nullish(),
  /** Requests of one conversation or realtime session share it. */
  session: z.string().max(64).optional(),
  /** The client used the Anthropic API, whose prompt tokens exclude cached ones. */
  is_claude: z.boolean().optional(),
  /** The vendor accepted work that outlives the request. */
  task: TaskSubmission.optional(),
  explanation: Explanation.extend({ steps: z.preprocess((steps) => (isStepLine(steps) ? stepTimesOf(steps) : steps), z.array(StepTime)) }),
})
export type UsageEventBody = z.infer<typeof UsageEventBody>

/** The explanation as a log row stores it, with fields about the end of the request that rows of earlier versions lack. */
export const StoredExplanation = Explanation.extend({
  ended_by: EndedBy.optional(),
  client_status: z.int().optional(),
  token_charge: Quota.optional(),
})
export type StoredExplanation = z.infer<typeof StoredExplanation>

/** One decoded stream entry. `n` is dense per shard: order and completeness are checked with it. */
export const UsageEvent = z.object({
  n: z.int().positive(),
  request_id: z.string(),
  kind: z.enum(['final', 'late']),
  charge: Quota,
  /** Redis TIME in milliseconds when the script ran. */
  at: UnixMillis,
  body: UsageEventBody,
})
export type UsageEvent = z.infer<typeof UsageEvent>

/** The UTC day (yyyymmdd) in a request id; `usage_keys` is partitioned by it. */
export function dayOfRequestId(requestId: string): number {
  return Number(requestId.slice(0, 8))
}
