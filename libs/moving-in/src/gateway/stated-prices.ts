import type { StatedPrice } from '@tollgate/contracts/moving-in/records'
import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import { NO_STATED_PRICES, type RequestTokens, type StatedPrices } from '../source.ts'
import { readPriceExpression, Unsayable, type Coefficients, type PriceExpression } from './price-expression.ts'

export const MODE_OPTION = 'billing_setting.billing_mode'
export const EXPRESSION_OPTION = 'billing_setting.billing_expr'
const BY_EXPRESSION = 'tiered_expr'

/** The prices of new-api that are expressions, of the models whose mode says so. */
export function statedPricesOf(options: ReadonlyMap<string, string>): StatedPrices {
  const modes = textsIn(options.get(MODE_OPTION))
  const expressions = textsIn(options.get(EXPRESSION_OPTION))
  const read = new Map<string, PriceExpression>()
  const prices: StatedPrice[] = []
  const refused: ImportItem[] = []
  for (const [model, mode] of modes) {
    if (mode !== BY_EXPRESSION) continue
    try {
      const expression = readPriceExpression(expressions.get(model) ?? '')
      prices.push(toPrice(model, expression))
      read.set(model, expression)
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error
      const at = `options ${EXPRESSION_OPTION} ${model}`
      refused.push({ kind: 'options', at, code: 'price-expression', detail: error.message })
    }
  }
  if (prices.length === 0 && refused.length === 0) return NO_STATED_PRICES
  return {
    prices,
    refused,
    dollarsOf: (model, tokens) => {
      const expression = read.get(model)
      return expression?.dollarsOf(amountsOf(expression, tokens))
    },
  }
}

function textsIn(json: string | undefined): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse(json ?? '{}')
    const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
    return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  } catch {
    // A text that is no JSON names no model.
    return new Map()
  }
}

/** Tokens of a class that the expression does not name are counted by `p`. */
function amountsOf({ variables }: PriceExpression, { prompt, cached, written, completion }: RequestTokens) {
  const [cr, cc] = [variables.has('cr') ? cached : 0, variables.has('cc') ? written : 0]
  return { p: prompt - cr - cc, len: prompt, c: completion, cr, cc, cc1h: 0, img: 0, ai: 0, ao: 0 }
}

function toPrice(model: string, { variables, bands, hasBoundWithoutCached }: PriceExpression): StatedPrice {
  const isCall = variables.size === 0
  if (isCall && bands.some(({ call }) => call !== bands[0]?.call)) throw new Unsayable('several prices of a call')
  if (!isCall && bands.some(({ call }) => call !== 0)) throw new Unsayable('a price of a call beside tokens')
  return {
    origin: { table: 'options', id: `${EXPRESSION_OPTION} ${model}` },
    notes: hasBoundWithoutCached
      ? [
          {
            code: 'bound-with-cached',
            detail: bands
              .slice(1)
              .map(({ above }) => above)
              .join(' '),
          },
        ]
      : [],
    model,
    call: isCall ? (bands[0]?.call ?? 0) : null,
    bands: isCall ? [] : bands.map(({ above, dollars }) => ({ above, dollars: dollarsOf(dollars) })),
  }
}

/** An hour in the cache costs 1.6 times what five minutes do, where the expression names these only. */
const HOUR_FACTOR = 1.6

function dollarsOf(named: Coefficients): StatedPrice['bands'][number]['dollars'] {
  const input = named.get('p') ?? 0
  const output = named.get('c') ?? 0
  const [cache_write, hour] = [named.get('cc'), named.get('cc1h')]
  return {
    input,
    output,
    cache_read: named.get('cr') ?? input,
    cache_write: cache_write ?? input,
    cache_write_1h: hour ?? (cache_write === undefined ? input : cache_write * HOUR_FACTOR),
    image_in: named.get('img') ?? input,
    audio_in: named.get('ai') ?? input,
    audio_out: named.get('ao') ?? output,
  }
}
