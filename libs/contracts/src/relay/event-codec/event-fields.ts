import type { ExplainedBudget } from '../../pricing/budgets.ts'
import type { PriceQuote, Quote, QuoteCard, QuotedHours, RatioQuote, Usage } from '../../pricing/quote.ts'
import { flag, jsonOf, listOf, NO_NAMES, oneOf, optionalText, plain, record, sameAs, type Codec } from './record-codec.ts'
import { rawUsage } from './raw-usage.ts'
import type {
  Attempt,
  CandidateResult,
  ClientDisconnect,
  Explanation,
  HashedBodies,
  ModelFallback,
  RecordedChoice,
  RecordedDraw,
  StepLine,
  UsageEventBody,
} from '../usage-event.ts'

/**
 * The parts of a usage event as positional records. Order and lists are what events in Redis are read by: nothing is moved or removed,
 * new fields are optional and stand at the end. The golden files beside the test hold one event of each version.
 */

export type AccountFields = Pick<UsageEventBody, 'user_id' | 'token_id' | 'username' | 'token_name'>
export const account = record<AccountFields>({ user_id: plain, token_id: plain, username: plain, token_name: plain }, {})

/** Fields that the pending event and the final event share, beside account, quote and client. */
export type OpeningFields = Pick<UsageEventBody, 'group' | 'model_name' | 'started_at' | 'is_claude'>
export const opening = record<OpeningFields>(
  { group: sameAs('group'), model_name: sameAs('model'), started_at: plain },
  { is_claude: flag },
)

export type ClientFields = Explanation['client']
export const client = record<ClientFields>(
  {
    ip: plain,
    user_agent: plain,
    method: oneOf(['POST', 'GET', 'DELETE']),
    path: oneOf([
      '/v1/chat/completions',
      '/v1/messages',
      '/v1/responses',
      '/v1/embeddings',
      '/v1/completions',
      '/v1/images/generations',
      '/v1/images/edits',
      '/v1/audio/speech',
      '/v1/audio/transcriptions',
      '/v1/rerank',
      '/v1/moderations',
      '/v1/realtime',
    ]),
  },
  {},
)

export type PendingFields = Pick<UsageEventBody, 'is_stream' | 'reasoning_effort'>
export const pending = record<PendingFields>({ is_stream: flag }, { reasoning_effort: plain })

const card = record<QuoteCard>(
  { above: plain, model_ratio: plain },
  {
    completion_ratio: plain,
    reasoning_ratio: plain,
    cache_ratio: plain,
    cache_creation_ratio: plain,
    cache_creation_1h_ratio: plain,
    image_ratio: plain,
    image_cache_ratio: plain,
    image_completion_ratio: plain,
    video_ratio: plain,
    audio_ratio: plain,
    audio_cache_ratio: plain,
    audio_completion_ratio: plain,
  },
)
const hours = record<QuotedHours>({ week_minute: plain }, { ratio: plain })

/** The first fields of either quote: the mode says how to read the rest. */
const quoteHead = {
  mode: oneOf(['ratio', 'price']),
  model: plain,
  group: plain,
  group_ratio: plain,
  quota_per_unit: plain,
  price_version: plain,
}
const ratioQuote = record<RatioQuote>(
  {
    ...quoteHead,
    model_ratio: plain,
    completion_ratio: plain,
    cache_ratio: plain,
    cache_creation_ratio: plain,
    image_ratio: plain,
    audio_ratio: plain,
    audio_completion_ratio: plain,
    is_unpriced: flag,
  },
  {
    reasoning_ratio: plain,
    cache_creation_1h_ratio: plain,
    image_cache_ratio: plain,
    image_completion_ratio: plain,
    video_ratio: plain,
    audio_cache_ratio: plain,
    user_group: plain,
    tiers: plain,
    hours,
    group_model: plain,
    tools: plain,
    cards: listOf(card),
    speech: plain,
    others: plain,
  },
)
const priceQuote = record<PriceQuote>(
  { ...quoteHead, model_price: plain },
  {
    user_group: plain,
    tiers: plain,
    hours,
    group_model: plain,
    tools: plain,
    size: plain,
    size_ratio: plain,
    quality: plain,
    quality_ratio: plain,
    count: plain,
    seconds: plain,
    per_seconds: plain,
    answers: plain,
  },
)
export const quote: Codec<Quote> = {
  encode: (value, names) => (value.mode === 'ratio' ? ratioQuote.encode(value, names) : priceQuote.encode(value, names)),
  decode: (json, names) => (Array.isArray(json) && json[0] === 1 ? priceQuote : ratioQuote).decode(json, names),
}

const usageSource = oneOf(['upstream', 'estimated', 'none'])
const usage = record<Usage>(
  {
    text_in: plain,
    text_out: plain,
    cache_read: plain,
    cache_write: plain,
    image_in: plain,
    audio_in: plain,
    audio_out: plain,
    reasoning: plain,
    prompt_tokens: plain,
    completion_tokens: plain,
    source: usageSource,
  },
  {
    cache_read_image: plain,
    cache_read_audio: plain,
    cache_write_1h: plain,
    image_out: plain,
    video_in: plain,
    characters: plain,
    seconds: plain,
    search_units: plain,
    images: plain,
    unserved_tiers: plain,
    answers: plain,
    tool_calls: plain,
    by_model: plain,
    samplings: plain,
    missing: plain,
  },
  (one) => {
    let line = `[${jsonOf(one.text_in)},${jsonOf(one.text_out)},${jsonOf(one.cache_read)},${jsonOf(one.cache_write)}`
    line += `,${jsonOf(one.image_in)},${jsonOf(one.audio_in)},${jsonOf(one.audio_out)},${jsonOf(one.reasoning)}`
    line += `,${jsonOf(one.prompt_tokens)},${jsonOf(one.completion_tokens)},${usageSource.encode(one.source, NO_NAMES)}`
    line += optionalText(0, one.cache_read_image) + optionalText(1, one.cache_read_audio) + optionalText(2, one.cache_write_1h)
    line += optionalText(3, one.image_out) + optionalText(4, one.video_in) + optionalText(5, one.characters)
    line += optionalText(6, one.seconds) + optionalText(7, one.search_units) + optionalText(8, one.images)
    line += optionalText(9, one.unserved_tiers) + optionalText(10, one.answers) + optionalText(11, one.tool_calls)
    return `${line}${optionalText(12, one.by_model)}${optionalText(13, one.samplings)}${optionalText(14, one.missing)}]`
  },
)

/** The facts of a request's end, without the explanation. */
export type EndFields = Omit<UsageEventBody, keyof AccountFields | keyof OpeningFields | 'quote' | 'explanation'>
const state = oneOf(['settled', 'estimated', 'released', 'late'])
const endedBy = oneOf(['complete', 'client-disconnected', 'upstream-failed', 'gateway-failed', 'reaper'])
export const end = record<EndFields>(
  {
    state,
    by: oneOf(['relay', 'reaper']),
    upstream_model: sameAs('model'),
    channel_id: plain,
    channel_name: plain,
    channel_type: plain,
    is_stream: flag,
    duration_ms: plain,
    first_token_ms: plain,
    usage,
    token_charge: plain,
    client_status: plain,
    ended_by: endedBy,
  },
  {
    error_code: plain,
    error_type: plain,
    error_message: plain,
    reasoning_effort: plain,
    session: plain,
    task: plain,
  },
  (one, names) => {
    let line = `[${state.encode(one.state, names)},${one.by === 'relay' ? 0 : 1},${one.upstream_model === names.model ? 0 : jsonOf(one.upstream_model)}`
    line += `,${jsonOf(one.channel_id)},${jsonOf(one.channel_name)},${jsonOf(one.channel_type)},${one.is_stream ? 1 : 0}`
    line += `,${jsonOf(one.duration_ms)},${jsonOf(one.first_token_ms)},${usage.encode(one.usage, names)},${jsonOf(one.token_charge)}`
    line += `,${jsonOf(one.client_status)},${endedBy.encode(one.ended_by, names)}`
    line += optionalText(0, one.error_code) + optionalText(1, one.error_type) + optionalText(2, one.error_message)
    return `${line}${optionalText(3, one.reasoning_effort)}${optionalText(4, one.session)}${optionalText(5, one.task)}]`
  },
)

/** The ends alone where the steps are the first ones in their order. */
const steps: Codec<StepLine> = {
  encode: (line) => {
    let ends = ''
    for (let at = 0; at < line.length; at += 2) {
      if (line[at] !== STEP_ORDER[at >> 1]) return JSON.stringify(line)
      ends += `,${line[at + 1]}`
    }
    return `[${ends.slice(1)}]`
  },
  decode: (json) => {
    if (!Array.isArray(json) || json.length > STEP_ORDER.length || typeof json[0] !== 'number') return json
    return json.flatMap((ended_ms: unknown, at) => [STEP_ORDER[at], ended_ms])
  },
}
const STEP_ORDER: readonly string[] = ['identify', 'read', 'admit', 'quote', 'reserve', 'dispatch', 'deliver', 'settle']

const outcome = oneOf(['answered', 'refused', 'limited', 'timeout', 'network', 'malformed', 'aborted'])
const retry = oneOf(['no', 'other-channel', 'same-channel'])
const attempt = record<Attempt>(
  {
    channel_id: plain,
    channel_name: sameAs('channel_name'),
    channel_type: plain,
    upstream_model: sameAs('upstream_model'),
    started_ms: plain,
    ended_ms: plain,
    outcome,
  },
  {
    first_byte_ms: plain,
    status: plain,
    key: plain,
    group: plain,
    model: plain,
    code: plain,
    message: plain,
    retry,
  },
  (one, names) => {
    let line = `[${jsonOf(one.channel_id)},${one.channel_name === names.channel_name ? 0 : jsonOf(one.channel_name)}`
    line += `,${jsonOf(one.channel_type)},${one.upstream_model === names.upstream_model ? 0 : jsonOf(one.upstream_model)}`
    line += `,${jsonOf(one.started_ms)},${jsonOf(one.ended_ms)},${outcome.encode(one.outcome, names)}`
    line += optionalText(0, one.first_byte_ms) + optionalText(1, one.status) + optionalText(2, one.key)
    line += optionalText(3, one.group) + optionalText(4, one.model) + optionalText(5, one.code) + optionalText(6, one.message)
    return one.retry === undefined ? `${line}]` : `${line},7,${retry.encode(one.retry, names)}]`
  },
)

const result = oneOf([
  'chosen',
  'not-drawn',
  'lower-priority',
  'already-tried',
  'disabled',
  'auto-disabled',
  'cooling',
  'breaker-open',
  'half-open',
  'keys-out',
  'limit-reached',
  'unsupported',
  'off-schedule',
  'slower',
  'costlier',
  'other-region',
])
const chosenBy = oneOf(['affinity', 'probe', 'least-bad'])
const candidate = record<CandidateResult>(
  {
    channel_id: plain,
    channel_name: sameAs('channel_name'),
    priority: plain,
    weight: plain,
    result,
  },
  { model: plain, chosen_by: chosenBy, remaining_ms: plain },
  (one, names) => {
    let line = `[${jsonOf(one.channel_id)},${one.channel_name === names.channel_name ? 0 : jsonOf(one.channel_name)}`
    line += `,${jsonOf(one.priority)},${jsonOf(one.weight)},${result.encode(one.result, names)}${optionalText(0, one.model)}`
    if (one.chosen_by !== undefined) line += `,1,${chosenBy.encode(one.chosen_by, names)}`
    return `${line}${optionalText(2, one.remaining_ms)}]`
  },
)

const draw = record<RecordedDraw>(
  { left: plain, states: plain },
  {
    n: plain,
    ids: plain,
    group: plain,
    model: plain,
    needs_usable: flag,
    strategy: plain,
    figures: plain,
    bases: plain,
    regions: plain,
    pauses: plain,
    keys: plain,
    key_count: plain,
    turn: plain,
  },
  (one) => {
    let line = `[${jsonOf(one.left)},${jsonOf(one.states)}${optionalText(0, one.n)}${optionalText(1, one.ids)}`
    line += optionalText(2, one.group) + optionalText(3, one.model) + (one.needs_usable === undefined ? '' : ',4,1')
    line += optionalText(5, one.strategy) + optionalText(6, one.figures) + optionalText(7, one.bases)
    line += optionalText(8, one.regions) + optionalText(9, one.pauses) + optionalText(10, one.keys)
    return `${line}${optionalText(11, one.key_count)}${optionalText(12, one.turn)}]`
  },
)
const draws = listOf(draw)
const choice = record<RecordedChoice>(
  { seed: plain, draws },
  { affinity_key: plain, region: plain, exact_weights: flag, rest: plain },
  (one, names) => {
    const line = `[${jsonOf(one.seed)},${draws.encode(one.draws, names)}${optionalText(0, one.affinity_key)}${optionalText(1, one.region)}`
    return `${line}${one.exact_weights === undefined ? '' : ',2,1'}${optionalText(3, one.rest)}]`
  },
)

const fallback = record<ModelFallback>({ asked: plain, by: plain, passed: plain }, {})
const disconnect = record<ClientDisconnect>({ policy: oneOf(['cancel', 'drain']), left_ms: plain, is_capped: flag }, {})
const budget = record<ExplainedBudget>(
  { id: plain, scope: plain, window: plain, start: plain, amount: plain, spent: plain, held: plain, took: plain, action: plain },
  { end: plain },
)

const bodyHash = record<HashedBodies['request']>({ sha256: plain, bytes: plain }, {})
const answerHash = record<HashedBodies['answer']>({ sha256: plain, bytes: plain, is_cut: flag }, {})
const bodies = record<HashedBodies>({ request: bodyHash, answer: answerHash }, {})

/** The explanation without `client`, which stands apart. Members that the schema has a default for are absent where they equal it. */
export type ExplanationFields = Omit<Explanation, 'client' | 'steps' | 'candidates_cut' | 'warnings' | 'is_cut'> & {
  readonly steps: StepLine
  readonly candidates_cut?: number | undefined
  readonly warnings?: readonly string[] | undefined
  readonly is_cut?: true | undefined
}
const attempts = listOf(attempt)
const candidates = listOf(candidate)
const budgets = listOf(budget)
export const explanation = record<ExplanationFields>(
  {
    steps,
    attempts,
    candidates,
    wallet_held: plain,
    token_held: plain,
  },
  {
    spendable_after_reserve: plain,
    choice,
    raw_usage: rawUsage,
    warnings: plain,
    candidates_cut: plain,
    is_cut: flag,
    fallback,
    budgets,
    client_disconnect: disconnect,
    bodies,
  },
  (one, names) => {
    let line = `[${steps.encode(one.steps, names)},${attempts.encode(one.attempts, names)},${candidates.encode(one.candidates, names)}`
    line += `,${jsonOf(one.wallet_held)},${jsonOf(one.token_held)}${optionalText(0, one.spendable_after_reserve)}`
    if (one.choice !== undefined) line += `,1,${choice.encode(one.choice, names)}`
    if (typeof one.raw_usage === 'string') line += `,2,${rawUsage.encode(one.raw_usage, names)}`
    line += optionalText(3, one.warnings) + optionalText(4, one.candidates_cut) + (one.is_cut === undefined ? '' : ',5,1')
    if (one.fallback !== undefined) line += `,6,${fallback.encode(one.fallback, names)}`
    if (one.budgets !== undefined) line += `,7,${budgets.encode(one.budgets, names)}`
    if (one.client_disconnect !== undefined) line += `,8,${disconnect.encode(one.client_disconnect, names)}`
    return one.bodies === undefined ? `${line}]` : `${line},9,${bodies.encode(one.bodies, names)}]`
  },
)
