import { unsealOption } from '@tollgate/config/sealing'
import type { WhatIfCandidate } from '@tollgate/contracts/resources/what-if'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import { PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { createOptionReader } from '@tollgate/db/option-reader'
import { toList } from '@tollgate/db/queries/channels/abilities'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import {
  finishWhatIf,
  listObservedCalls,
  listRecordedRows,
  reportWhatIf,
  startWhatIf,
  type RecordedRow,
} from '@tollgate/db/queries/channels/what-ifs'
import { BLANK_CHANNEL } from '@tollgate/domain/channel-choice/blank-channel'
import { costRatioOf } from '@tollgate/domain/channel-choice/preference'
import { costReader } from '@tollgate/domain/channel-health/effective-cost'
import type { ObservedCalls } from '@tollgate/domain/channel-health/observed-calls'
import { patchedPrices } from '@tollgate/domain/pricing/price-patch'
import { requoter } from '@tollgate/domain/pricing/requote'
import { changesOf, type Changes } from '@tollgate/domain/what-if/changed-draw'
import type { RecordedRequest, WhatIfFacts } from '@tollgate/domain/what-if/facts'
import { pricePatchOf } from '@tollgate/domain/what-if/price-patch-of'
import { recordedCalls, replayRequest } from '@tollgate/domain/what-if/replay-request'
import { WhatIfTally, type Served, type TallyFacts } from '@tollgate/domain/what-if/what-if-tally'
import type { Handler } from '@tollgate/jobs/jobs'
import { parseJsonObject } from '@tollgate/providers/json'
import { readEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import type { Deps } from '../deps.ts'
import { LogReplay, Quotes } from './log-replay.ts'

type WhatIfDeps = Pick<Deps, 'db' | 'redis' | 'secrets' | 'now'>

const PAGE = 2000
const REQUOTES_KEPT = 20_000
/** Requests whose calls make up the observed rates. */
const OBSERVED = 50_000

/** Reads only, except for its own progress and result: safe to run twice. */
export const replayRequests =
  (deps: WhatIfDeps): Handler<'replay-requests'> =>
  async ({ id }, { signal }) => {
    const { db } = deps
    const order = await startWhatIf(db, id)
    if (order === undefined) return { state: 'cancelled', requests: 0 }
    const finished_at = (): number => Math.floor(deps.now() / 1000)
    try {
      const { since, until, candidate } = order
      const known = await readFacts(deps, order)
      const tally = new WhatIfTally(known.tallyFacts, { since, until })
      const run: Run = { tally, quotes: new Quotes(db, (quote) => quote), changes: changesOf(candidate), facts: known.facts }
      const replay = new LogReplay({ db, since, until, pageSize: PAGE, signal, report: (done) => reportWhatIf(db, id, done) })
      const ended = await replay.eachPage(listRecordedRows, async (rows) => {
        await run.quotes.load(rows)
        for (const row of rows) replayRow(row, run)
      })
      if (ended !== undefined) return { state: ended, requests: tally.requests }
      await finishWhatIf(db, id, { state: 'done', finished_at: finished_at(), done: replay.done, result: tally.result() })
      return { state: 'done', requests: tally.requests }
    } catch (error) {
      await finishWhatIf(db, id, { state: 'failed', finished_at: finished_at() })
      throw error
    }
  }

type Run = {
  readonly tally: WhatIfTally
  readonly quotes: Quotes<Quote>
  readonly changes: Changes
  readonly facts: WhatIfFacts
}

const NOTHING = { attempts: [], candidates: [], is_cut: false, steps: [] }

function replayRow(row: RecordedRow, { tally, quotes, changes, facts }: Run): void {
  const quote = quotes.of(row)
  if (quote === undefined) return
  const usage = row.usage === null ? ZERO_USAGE : (JSON.parse(row.usage) as Usage) // as posting wrote it
  const explanation = row.explanation === null ? undefined : (JSON.parse(row.explanation) as StoredExplanation) // as posting wrote it
  const request: RecordedRequest = {
    group: row.group,
    model: row.model_name,
    path: explanation?.client.path ?? '',
    explanation: explanation ?? NOTHING,
  }
  const { user_id, username, channel_id, quota } = row
  const charged = {
    at: row.created_at,
    user_id,
    username,
    asked: explanation?.fallback?.asked ?? row.model_name,
    group: row.group,
    model: row.model_name,
    channel_id,
    quota,
    usage,
    quote,
    duration_ms: explanation?.steps.at(-1)?.ended_ms ?? row.use_time * 1000,
  }
  tally.add(charged, recordedCalls(request), replayRequest(request, changes, facts))
}

type Order = { readonly since: number; readonly until: number; readonly candidate: WhatIfCandidate }

/** The present configuration and the observed calls of the time. */
async function readFacts({ db, redis, secrets }: WhatIfDeps, { since, until, candidate }: Order) {
  const reader = createOptionReader(db, unsealOption(secrets))
  const [options, prices, rows, observed, costs] = await Promise.all([
    reader.pick(['ModelFallbacks']),
    reader.pick(PRICE_OPTIONS),
    listRoutedChannels(db),
    listObservedCalls(db, { since, until, most: OBSERVED }),
    readEffectiveCosts(redis).then(costReader),
  ])
  const after = patchedPrices(prices, pricePatchOf(candidate.prices ?? []))
  if (after === undefined) throw new Error('the prices of the configuration are not valid')
  const channels = new Map(rows.map((row) => [row.id, toChannel(row)]))
  const changed = new Map(candidate.channels.map(({ id, cost_ratio }) => [id, cost_ratio]))
  const ratioOf = (id: number, model: string): number => {
    const channel = channels.get(id)
    return channel === undefined ? 1 : costRatioOf(channel, model)
  }
  const ratioAfter = (id: number, model: string): number => changed.get(id) ?? ratioOf(id, model)
  const calls = new Observed(observed)
  const facts: WhatIfFacts = {
    failureRateOf: (id, model) => calls.failureRateOf(id, model),
    latencyOf: (id, model) => calls.of(id, model)?.answered_ms ?? undefined,
    costRatioOf: ratioAfter,
    costOf: (id, model) => costs(id, model, ratioAfter(id, model)),
    channelsOf: lister([...channels.values()]),
    fallbacks: options.ModelFallbacks,
  }
  const hasPrices = (candidate.prices ?? []).length > 0
  const requote = requoter(after)
  const listQuote = hasPrices ? requoter(prices) : requote
  const tallyFacts: TallyFacts = {
    requote: cachedRequote((quote, isMoved) => (isMoved ? requote(quote) : unlessSame(quote, requote(quote), listQuote(quote)))),
    listQuote: cachedRequote((quote) => listQuote(quote)),
    hasPrices,
    costRatioOf: (id, model, when) => (when === 'before' ? ratioOf(id, model) : ratioAfter(id, model)),
    nameOf: (id) => channels.get(id)?.name ?? '',
    callMsOf: ({ channel_id, model, is_answered }) => calls.msOf(channel_id, model, is_answered),
  }
  return { facts, tallyFacts }
}

type RoutedRow = Awaited<ReturnType<typeof listRoutedChannels>>[number]

/** A channel as far as a choice reads it. */
function toChannel({ id, name, status, priority, weight, setting, models, group }: RoutedRow): ChannelSnapshot {
  return {
    ...BLANK_CHANNEL,
    id,
    name,
    status,
    priority,
    weight,
    setting: parseJsonObject(setting) ?? {},
    models: toList(models),
    groups: toList(group),
  }
}

/** Lists each group and model once. */
function lister(channels: readonly ChannelSnapshot[]): WhatIfFacts['channelsOf'] {
  const known = new BoundedMap<readonly ChannelSnapshot[]>(REQUOTES_KEPT)
  return (group, model) => {
    const key = `${group} ${model}`
    const found = known.get(key) ?? channels.filter(({ groups, models }) => groups.includes(group) && models.includes(model))
    known.set(key, found)
    return found
  }
}

/** The observed calls by channel and model, and of a channel for all models where it was not called for one. */
class Observed {
  readonly #byModel: ReadonlyMap<string, ObservedCalls>

  constructor(rows: readonly ObservedCalls[]) {
    this.#byModel = new Map(rows.map((row) => [`${row.channel_id} ${row.model}`, row]))
  }

  of(channel_id: number, model: string): ObservedCalls | undefined {
    return this.#byModel.get(`${channel_id} ${model}`)
  }

  failureRateOf(channel_id: number, model: string): number | undefined {
    const found = this.of(channel_id, model)
    return found === undefined || found.calls === 0 ? undefined : found.failed / found.calls
  }

  msOf(channel_id: number, model: string, is_answered: boolean): number | undefined {
    const found = this.of(channel_id, model)
    return (is_answered ? found?.answered_ms : found?.failed_ms) ?? undefined
  }
}

/** The recorded quote where the considered prices are those of now: past changes of prices are not the candidate's. */
function unlessSame(quote: Quote, after: Quote | undefined, now: Quote | undefined): Quote | undefined {
  return JSON.stringify(after) === JSON.stringify(now) ? quote : after
}

/** Quotes each quote once for each model and group that it would be served by. */
function cachedRequote(requote: (quote: Quote, isMoved: boolean) => Quote | undefined): TallyFacts['requote'] {
  const known = new WeakMap<Quote, Map<string, Quote | undefined>>()
  return (quote, { model, group }: Served) => {
    const own = known.get(quote) ?? new Map<string, Quote | undefined>()
    known.set(quote, own)
    const key = `${group} ${model}`
    if (!own.has(key)) {
      const isMoved = model !== quote.model || group !== quote.group
      own.set(key, requote(isMoved ? { ...quote, model, group } : quote, isMoved))
    }
    return own.get(key)
  }
}
