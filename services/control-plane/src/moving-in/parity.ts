import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { LogRecord, StatedPrice } from '@tollgate/contracts/moving-in/records'
import type { PricedSample } from '@tollgate/contracts/moving-in/report'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { groupRatioOf } from '@tollgate/domain/pricing/group-ratio'
import { toGroupSnapshots, toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import { inTurns } from '@tollgate/moving-in/cells/in-turns'
import type { RequestTokens, StatedPrices } from '@tollgate/moving-in/source'
import { recordOf } from './carry.ts'

type Facts = { readonly family: 'new-api' | 'one-api' | 'litellm'; readonly quotaPerUnit: number }

type Sampled = {
  /** Requests of the source's log. */
  readonly logged: readonly LogRecord[]
  readonly stated: StatedPrices
  readonly limit: number
}

/**
 * Requests priced by the source's documented formula and by this gateway's prices: made ones at and around the bounds of prices in dollars,
 * for at most half of them, and those of the source's log.
 */
export function priceSamples({ logged, stated, limit }: Sampled, values: OptionValues, facts: Facts): PricedSample[] {
  const here = pricesHere(values)
  const made = inTurns(stated.prices.map(madeRequests), limit / 2).map((request) => madeSample(request, { stated, here, facts }))
  return [...made, ...logged.slice(0, limit - made.length).map((record) => loggedSample(record, { stated, here, facts }))]
}

type Here = {
  readonly groupRatio: (group: string, model: string) => number
  /** The charge; null: the model has no price. */
  readonly charge: (request: { model: string; group: string; group_ratio: number }, usage: Usage) => number | null
}

function pricesHere(values: OptionValues): Here {
  const prices = new Map(toPriceSnapshots(values).map((row) => [row.model, row]))
  const groups = new Map(toGroupSnapshots(values).map((row) => [row.name, row]))
  return {
    groupRatio: (group, model) => groupRatioOf(groups.get(group), { userGroup: group, model }).group_ratio,
    charge: (request, usage) => {
      const quote = quoteFor({
        ...request,
        prices: (model) => prices.get(model),
        quota_per_unit: values.QuotaPerUnit,
        price_version: 0,
        isUnpricedAllowed: values.SelfUseModeEnabled,
        isOutputRequired: values.OutputPriceRequired,
      })
      return quote === 'unpriced' ? null : chargeOf(quote, usage).charge
    },
  }
}

type Pricing = { readonly stated: StatedPrices; readonly here: Here; readonly facts: Facts }
type MadeRequest = { readonly model: string; readonly tokens: RequestTokens }

/** Prompts at and around each bound of a price, a short and a long one, each also with half of it cached. */
function madeRequests({ model, bands, call }: StatedPrice): MadeRequest[] {
  const bounds = bands.map(({ above }) => above).filter((above) => above > 0)
  const lengths = [...bounds.flatMap((bound) => [bound, bound + 1, bound - 1]), 1000, 2 * Math.max(1000, ...bounds)]
  const isCached = bands.some(({ dollars }) => dollars.cache_read !== undefined)
  return lengths.flatMap((prompt) =>
    (call === null && isCached ? [0, Math.floor(prompt / 2)] : [0]).map((cached) => ({
      model,
      tokens: { prompt, cached, written: 0, completion: 500 },
    })),
  )
}

const GROUP = 'default'

function madeSample({ model, tokens }: MadeRequest, { stated, here, facts: { quotaPerUnit } }: Pricing): PricedSample {
  const { prompt, cached, completion } = tokens
  const group_ratio = here.groupRatio(GROUP, model)
  const formula = inQuota((stated.dollarsOf(model, tokens) ?? 0) * quotaPerUnit * group_ratio)
  const usage = usageOfTokens(tokens)
  return {
    log: `${model} ${prompt} ${cached}`,
    model,
    group: GROUP,
    prompt_tokens: prompt,
    cached_tokens: cached,
    completion_tokens: completion,
    charged: formula,
    formula,
    here: here.charge({ model, group: GROUP, group_ratio }, usage),
  }
}

function loggedSample(record: LogRecord, { stated, here, facts }: Pricing): PricedSample {
  const { model } = record
  const other = recordOf(record.other === '' ? {} : JSON.parse(record.other))
  const tokens = tokensOf(record, other, facts)
  const group = record.group === '' ? GROUP : record.group
  const ofLog = numberAt(other, 'group_ratio')
  // A log of one-api names no group.
  const group_ratio = record.group === '' && ofLog !== undefined ? ofLog : here.groupRatio(group, model)
  const dollars = stated.dollarsOf(model, tokens) ?? numberAt(other, 'formula_cost')
  return {
    log: record.origin.id,
    model,
    group: record.group,
    prompt_tokens: record.prompt_tokens,
    cached_tokens: tokens.cached,
    completion_tokens: record.completion_tokens,
    charged: record.quota,
    formula: dollars === undefined ? formulaOf(tokens, other, facts) : inQuota(dollars * facts.quotaPerUnit * (ofLog ?? 1)),
    here: here.charge({ model, group, group_ratio }, usageOfTokens(tokens)),
  }
}

/** Half a unit that a sum of binary numbers falls short of is rounded up, as the exact one is. */
const inQuota = (exact: number): number => Math.round(Number(exact.toPrecision(12)))

function numberAt(other: Record<string, unknown>, field: string): number | undefined {
  const value = other[field]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A row of Claude's API counts prompt tokens without the cached ones, and only LiteLLM counts those that were written to a cache. */
function tokensOf({ prompt_tokens, completion_tokens }: LogRecord, other: Record<string, unknown>, { family }: Facts): RequestTokens {
  const cached = Math.max(0, Math.trunc(numberAt(other, 'cache_tokens') ?? 0))
  const written = Math.max(0, Math.trunc(numberAt(other, 'cache_creation_tokens') ?? 0))
  const fresh = other['claude'] === true ? prompt_tokens : Math.max(0, prompt_tokens - cached - (family === 'litellm' ? written : 0))
  return { prompt: fresh + cached + written, cached, written, completion: completion_tokens }
}

const usageOfTokens = ({ prompt, cached, written, completion }: RequestTokens): Usage => ({
  ...ZERO_USAGE,
  text_in: Math.max(0, prompt - cached - written),
  text_out: completion,
  cache_read: cached,
  cache_write: written,
  prompt_tokens: prompt,
  completion_tokens: completion,
  source: 'upstream',
})

/** new-api: (fresh + cached × cache ratio + answer × completion ratio) × model ratio × group ratio, rounded; or the price of a call. */
function formulaOf(tokens: RequestTokens, other: Record<string, unknown>, { family, quotaPerUnit }: Facts): number | null {
  const [model_ratio, model_price = -1, group_ratio = 1] = [
    numberAt(other, 'model_ratio'),
    numberAt(other, 'model_price'),
    numberAt(other, 'group_ratio'),
  ]
  if (family !== 'new-api' || (model_ratio === undefined && model_price < 0)) return null
  if (model_price >= 0) return Math.round(model_price * quotaPerUnit * group_ratio)
  const { text_in, text_out, cache_read, cache_write } = usageOfTokens(tokens)
  const prompt = text_in + cache_read * (numberAt(other, 'cache_ratio') ?? 1) + cache_write * (numberAt(other, 'cache_creation_ratio') ?? 1)
  return inQuota((prompt + text_out * (numberAt(other, 'completion_ratio') ?? 1)) * (model_ratio ?? 0) * group_ratio)
}
