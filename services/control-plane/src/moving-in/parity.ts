import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { LogRecord } from '@tollgate/contracts/moving-in/records'
import type { PricedSample } from '@tollgate/contracts/moving-in/report'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { groupRatioOf } from '@tollgate/domain/pricing/group-ratio'
import { toGroupSnapshots, toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import { recordOf } from './carry.ts'

type Facts = { readonly family: 'new-api' | 'one-api' | 'litellm'; readonly quotaPerUnit: number }

/** Requests of the source's log, priced by its documented formula from the ratios that the row states, and by this gateway's prices. */
export function priceSamples(records: readonly LogRecord[], values: OptionValues, facts: Facts): PricedSample[] {
  const prices = new Map(toPriceSnapshots(values).map((row) => [row.model, row]))
  const groups = new Map(toGroupSnapshots(values).map((row) => [row.name, row]))
  return records.map((record) => {
    const other = recordOf(record.other === '' ? {} : JSON.parse(record.other))
    const usage = usageOf(record, other)
    const group = record.group === '' ? 'default' : record.group
    const { group_ratio } = groupRatioOf(groups.get(group), { userGroup: group, model: record.model })
    const stated = numberAt(other, 'group_ratio')
    const quote = quoteFor({
      model: record.model,
      group,
      prices: (model) => prices.get(model),
      // A log of one-api names no group.
      group_ratio: record.group === '' && stated !== undefined ? stated : group_ratio,
      quota_per_unit: values.QuotaPerUnit,
      price_version: 0,
      isUnpricedAllowed: values.SelfUseModeEnabled,
      isOutputRequired: values.OutputPriceRequired,
    })
    return {
      log: record.origin.id,
      model: record.model,
      group: record.group,
      prompt_tokens: record.prompt_tokens,
      cached_tokens: usage.cache_read,
      completion_tokens: record.completion_tokens,
      charged: record.quota,
      formula: formulaOf(record, other, facts),
      here: quote === 'unpriced' ? null : chargeOf(quote, usage).charge,
    }
  })
}

function numberAt(other: Record<string, unknown>, field: string): number | undefined {
  const value = other[field]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A row of Claude's API counts prompt tokens without the cached ones. */
function usageOf({ prompt_tokens, completion_tokens }: LogRecord, other: Record<string, unknown>): Usage {
  const read = Math.max(0, Math.trunc(numberAt(other, 'cache_tokens') ?? 0))
  const written = Math.max(0, Math.trunc(numberAt(other, 'cache_creation_tokens') ?? 0))
  const text_in = other['claude'] === true ? prompt_tokens : Math.max(0, prompt_tokens - read)
  return {
    ...ZERO_USAGE,
    text_in,
    text_out: completion_tokens,
    cache_read: read,
    cache_write: written,
    prompt_tokens,
    completion_tokens,
    source: 'upstream',
  }
}

/** new-api: (fresh + cached × cache ratio + answer × completion ratio) × model ratio × group ratio, rounded; or the price of a call. */
function formulaOf(record: LogRecord, other: Record<string, unknown>, { family, quotaPerUnit }: Facts): number | null {
  const [model_ratio, model_price = -1, group_ratio = 1] = [
    numberAt(other, 'model_ratio'),
    numberAt(other, 'model_price'),
    numberAt(other, 'group_ratio'),
  ]
  if (family !== 'new-api' || (model_ratio === undefined && model_price < 0)) return null
  if (model_price >= 0) return Math.round(model_price * quotaPerUnit * group_ratio)
  const { text_in, text_out, cache_read, cache_write } = usageOf(record, other)
  const prompt = text_in + cache_read * (numberAt(other, 'cache_ratio') ?? 1) + cache_write * (numberAt(other, 'cache_creation_ratio') ?? 1)
  const exact = (prompt + text_out * (numberAt(other, 'completion_ratio') ?? 1)) * (model_ratio ?? 0) * group_ratio
  return Math.round(Number(exact.toPrecision(12)))
}
