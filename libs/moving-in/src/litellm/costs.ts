import type { ClassDollars, StatedPrice } from '@tollgate/contracts/moving-in/records'
import { NO_STATED_PRICES, type RequestTokens, type StatedPrices } from '../source.ts'

/** US dollars of one token by field: `input_cost_per_token`, `output_cost_per_token_above_200k_tokens`. */
export type Costs = ReadonlyMap<string, number>

const FIELDS = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cache_read: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
} as const satisfies Partial<Record<keyof ClassDollars, string>>
const COST = new RegExp(`^(${Object.values(FIELDS).join('|')})(?:_above_(\\d+)k_tokens)?$`)

/** True for the field of a cost that is carried. */
export const isCost = (field: string): boolean => COST.test(field)

/** The costs of an object of a configuration or a log row; values may be numbers or texts. */
export function costsIn(fields: Readonly<Record<string, unknown>>): Costs {
  const found = Object.entries(fields).flatMap(([name, value]) => {
    const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
    return COST.test(name) && number >= 0 && value !== '' ? [[name, number] as const] : []
  })
  return new Map(found)
}

/** The lengths of a prompt above which other costs count. */
function boundsOf(costs: Costs): number[] {
  const bounds = [...costs.keys()].flatMap((name) => {
    const thousands = COST.exec(name)?.[2]
    return thousands === undefined ? [] : [Number(thousands) * 1000]
  })
  return [...new Set(bounds.filter(Number.isSafeInteger))].toSorted((a, b) => a - b)
}

/** The cost of a class for prompts above this bound; one that the bound does not name is that of shorter prompts. */
function costAbove(costs: Costs, name: string, above: number): number | undefined {
  const bound = boundsOf(costs).findLast((one) => one <= above && costs.has(`${name}_above_${one / 1000}k_tokens`))
  return bound === undefined ? costs.get(name) : costs.get(`${name}_above_${bound / 1000}k_tokens`)
}

/** The proxy's formula: each class of tokens times its cost. Cached tokens without a cost are prompt tokens. */
export function costOf(costs: Costs, { prompt, cached, written, completion }: RequestTokens): number | undefined {
  const above = boundsOf(costs).findLast((bound) => prompt > bound) ?? 0
  const of = (name: string): number | undefined => costAbove(costs, name, above)
  const input = of(FIELDS.input)
  if (input === undefined) return undefined
  const [read, creation] = [of(FIELDS.cache_read) ?? input, of(FIELDS.cache_write) ?? input]
  return (prompt - cached - written) * input + cached * read + written * creation + completion * (of(FIELDS.output) ?? 0)
}

const MILLION = 1_000_000
const exact = (value: number): number => Number(value.toPrecision(12))

/** The prices of the models whose costs are stated, by the name that clients ask for. */
export function statedPricesOf(models: ReadonlyMap<string, Costs>): StatedPrices {
  const priced = [...models].filter(([, costs]) => costs.has(FIELDS.input))
  if (priced.length === 0) return NO_STATED_PRICES
  return {
    prices: priced.map(([model, costs]): StatedPrice => ({
      origin: { table: 'model_list', id: model },
      notes: [],
      model,
      call: null,
      bands: [0, ...boundsOf(costs)].map((above) => ({ above, dollars: dollarsAbove(costs, above) })),
    })),
    refused: [],
    dollarsOf: (model, tokens) => costOf(models.get(model) ?? new Map(), tokens),
  }
}

function dollarsAbove(costs: Costs, above: number): ClassDollars {
  const named = Object.entries(FIELDS).flatMap(([name, field]) => {
    const cost = costAbove(costs, field, above)
    return cost === undefined ? [] : [[name, exact(cost * MILLION)] as const]
  })
  return { input: 0, ...Object.fromEntries(named) }
}
