import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { PricedExtras, PricedTool, Quote } from '@tollgate/contracts/pricing/quote'
import type { PriceOption } from '@tollgate/contracts/resources/prices'
import { groupRatioOf } from './group-ratio.ts'
import { withHours } from './hours.ts'
import { toGroupSnapshots, toPriceSnapshots } from './price-snapshots.ts'
import { quoteFor, withTiers } from './quote.ts'

/** A stored quote with other prices; undefined if they have none for its model or its tier. */
export type Requote = (quote: Quote) => Quote | undefined

/**
 * Quotes requests again that were quoted before. The group ratio is that of the stored user group; a group that no longer exists keeps
 * its ratio. Models that were accepted without a price are again. A tool that was free when the quote was taken is not in it and stays
 * free.
 */
export function requoter(options: Pick<OptionValues, PriceOption>): Requote {
  const rows = new Map(toPriceSnapshots(options).map((row) => [row.model, row]))
  const groups = new Map(toGroupSnapshots({ ...options, UserUsableGroups: {} }).map((row) => [row.name, row]))
  const prices = (model: string) => rows.get(model)
  return (quote) => {
    const { model, group, quota_per_unit, price_version, tiers } = quote
    const found = groups.get(group)
    const next = quoteFor({
      model,
      group,
      prices,
      ...(found === undefined ? { group_ratio: quote.group_ratio } : groupRatioOf(found, { userGroup: quote.user_group ?? '', model })),
      quota_per_unit,
      price_version,
      isUnpricedAllowed: quote.mode === 'ratio' && quote.is_unpriced,
      asked: askedOf(quote),
      tool_prices: options['tool_price_setting.prices'],
      video_units: options['video_price_setting.units'],
    })
    if (next === 'unpriced') return undefined
    const tiered = tiers === undefined ? next : withTiers(next, Object.keys(tiers), prices)
    if (tiered === 'unpriced-tier') return undefined
    return quote.hours === undefined ? tiered : withHours(tiered, rows.get(model)?.hours, quote.hours.week_minute)
  }
}

/** The request's parameters, as far as its quote tells. */
function askedOf(quote: Quote): PricedExtras {
  const tools = toolsOf(quote)
  if (quote.mode === 'ratio') {
    const speech = quote.speech === undefined ? {} : { speech: { characters: 0 } }
    return tools === undefined ? speech : { tools, ...speech }
  }
  const { size, quality, count, seconds, answers } = quote
  const isVideo = count === undefined && (seconds !== undefined || size !== undefined || quality !== undefined)
  const image = { ...(size === undefined ? {} : { size }), ...(quality === undefined ? {} : { quality }), n: count ?? 1 }
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(count === undefined ? {} : { image }),
    ...(answers === undefined ? {} : { answers }),
    ...(isVideo ? { video: { seconds, size: size ?? '', mode: quality ?? '' } } : {}),
  }
}

/** The tools of a quote. One that lists its variants was asked for without any. */
function toolsOf({ tools }: Quote): readonly PricedTool[] | undefined {
  if (tools === undefined) return undefined
  const names = Object.keys(tools)
  return Object.entries(tools)
    .filter(([name]) => !names.some((other) => name.startsWith(`${other}/`)))
    .map(([name, { variant, at_least }]) => ({
      name,
      ...(variant === undefined ? {} : { variant }),
      ...(at_least === undefined ? {} : { at_least }),
    }))
}
