import { REFUNDED } from '@tollgate/contracts/enums'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { Attempt, EndedBy } from '@tollgate/contracts/relay/usage-event'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { chargeOf } from '../pricing/charge.ts'
import { Decimal } from '../pricing/decimal.ts'
import { dollarsOf } from '../pricing/format.ts'
import { billedModel } from './billed-model.ts'
import type { Counted, Recorded, RecordedUsage } from './recorded-usage.ts'

/** A log entry of a request, or of its later correction or refund. */
export type LoggedRequest = {
  readonly at: UnixSeconds
  readonly channel_id: number
  readonly model: string
  readonly state: string
  readonly quota: Quota
  readonly usage: Usage | undefined
  readonly quote: Quote | undefined
  readonly attempts: readonly Pick<Attempt, 'channel_id' | 'outcome' | 'upstream_model'>[]
  readonly ended_by: EndedBy | undefined
}

export type RecordingFacts = {
  readonly costRatioOf: (channel_id: number, model: string) => number
  /** Used for entries that do not state it. */
  readonly quota_per_unit: number
}

/** Calls that reached the vendor before they failed; it answers refused ones without a charge. */
const MAYBE_CHARGED: ReadonlySet<Attempt['outcome']> = new Set(['timeout', 'network', 'malformed', 'aborted'])

/** Adds a log entry to the channel that served it, and its failed calls to theirs. */
export function recordRequest(recorded: RecordedUsage, request: LoggedRequest, facts: RecordingFacts): void {
  const { at, channel_id, model, state, usage, quota, quote } = request
  const charged = dollarsOf(quota, quote?.quota_per_unit ?? facts.quota_per_unit)
  const isUsed = usage !== undefined && usage.source !== 'none'
  const counted = isUsed ? countedOf(usage) : { requests: 0, input: usage?.prompt_tokens ?? 0, cached: 0, output: 0 }
  const served = isUsed && channel_id !== 0 ? request.attempts.findLastIndex((one) => one.channel_id === channel_id) : -1
  const name = billedModel(request.attempts[served]?.upstream_model ?? model)
  // A correction changes an earlier charge; its usage is counted with that.
  if (state === REFUNDED || state === 'late') {
    if (channel_id !== 0) recorded.add(channel_id, name, at, { charged })
    return
  }
  if (isUsed && channel_id !== 0) recorded.add(channel_id, name, at, { ...servedPart(request, counted, facts), charged })
  request.attempts.forEach((attempt, nth) => {
    if (nth === served || !MAYBE_CHARGED.has(attempt.outcome)) return
    const retried = { requests: 1, input: counted.input, cached: 0, output: 0 }
    recorded.add(attempt.channel_id, billedModel(attempt.upstream_model), at, { retried })
  })
}

function servedPart(
  { usage, quote, channel_id, model, ended_by }: LoggedRequest,
  counted: Counted,
  facts: RecordingFacts,
): Partial<Recorded> {
  const isAborted = ended_by === 'client-disconnected' || ended_by === 'reaper'
  const isEstimated = usage?.source === 'estimated' || (usage?.missing?.length ?? 0) > 0
  const cost_ratio = Decimal.of(facts.costRatioOf(channel_id, model))
  return {
    ...counted,
    ...(quote === undefined || usage === undefined
      ? {}
      : { dollars: listDollars(quote, usage).times(cost_ratio), prices: new Set([priceText(quote)]) }),
    ...(isAborted && isEstimated ? { aborted: counted } : {}),
    ...(!isAborted && isEstimated ? { estimated: counted } : {}),
  }
}

const countedOf = (usage: Usage): Counted => {
  const cached = usage.cache_read + (usage.cache_read_image ?? 0) + (usage.cache_read_audio ?? 0)
  const written = usage.cache_write + (usage.cache_write_1h ?? 0)
  return {
    requests: 1,
    input: usage.text_in + cached + written + usage.image_in + (usage.video_in ?? 0) + usage.audio_in,
    cached,
    output: usage.text_out + (usage.image_out ?? 0) + (usage.audio_out ?? 0),
  }
}

const PLACES = 12

/** The price without the group's ratio, and without the rounding of a charge. */
function listDollars(quote: Quote, usage: Usage): Decimal {
  const { lines } = chargeOf({ ...quote, group_ratio: 1 }, usage)
  const quota = lines
    .filter(({ kind }) => kind !== 'rounding' && kind !== 'minimum')
    .reduce((sum, line) => sum.plus(Decimal.parse(line.quota)), Decimal.zero)
  return quota.quotient(Decimal.of(quote.quota_per_unit), PLACES)
}

/** The parts of a model's price, without the group's ratio. */
const priceText = (quote: Quote): string =>
  quote.mode === 'price' ? `call ${quote.model_price}` : `${quote.model_ratio} ${quote.completion_ratio} ${quote.cache_ratio}`
