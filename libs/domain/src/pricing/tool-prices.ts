import type { PricedTool, ToolPrice } from '@tollgate/contracts/pricing/quote'

/**
 * US dollars per 1 000 calls by key `tool[/variant…][:model]`; the model may end in `*`. Of the keys that match a call, the longest model
 * takes precedence, then the most specific variant.
 */
export type ToolPrices = Readonly<Record<string, number>>

type Key = { readonly tool: string; readonly model: string | undefined; readonly price: number }

const parsed = new WeakMap<ToolPrices, readonly Key[]>()

/** The parsed keys, most specific first; cached by table. */
function keysOf(prices: ToolPrices): readonly Key[] {
  const found = parsed.get(prices)
  if (found !== undefined) return found
  const keys = Object.entries(prices)
    .map(([key, price]): Key => {
      const at = key.indexOf(':')
      return at === -1 ? { tool: key, model: undefined, price } : { tool: key.slice(0, at), model: key.slice(at + 1), price }
    })
    .toSorted((a, b) => (b.model?.length ?? -1) - (a.model?.length ?? -1) || b.tool.length - a.tool.length)
  parsed.set(prices, keys)
  return keys
}

const fitsModel = ({ model: pattern }: Key, model: string): boolean =>
  pattern === undefined || (pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern)

const isOf = (tool: string, name: string): boolean => name === tool || name.startsWith(`${tool}/`)

/** Price of 1 000 calls of a tool (`name` or `name/variant`) by this model; undefined if the table has none, which makes them free. */
export function toolPriceOf(prices: ToolPrices, model: string, name: string): number | undefined {
  return keysOf(prices).find((key) => isOf(key.tool, name) && fitsModel(key, model))?.price
}

/**
 * The prices of the tools that a request offers, as stored in its quote: one price per tool if the variant is known, otherwise one for
 * each variant in the table. Undefined if all of them are free.
 */
export function quotedTools(
  prices: ToolPrices,
  model: string,
  asked: readonly PricedTool[] | undefined,
): Record<string, ToolPrice> | undefined {
  const found = (asked ?? []).flatMap((tool) => [tool, ...counterparts(tool.name)].flatMap((one) => pricesOf(prices, model, one)))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/**
 * Web search has a name per vendor: https://platform.openai.com/docs/pricing ·
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool · https://ai.google.dev/gemini-api/docs/google-search
 */
const SEARCHES = ['web_search', 'web_search_preview', 'google_search']

/** The names under which vendors of other formats report the calls of a tool. */
function counterparts(name: string): readonly PricedTool[] {
  return SEARCHES.includes(name) ? SEARCHES.filter((other) => other !== name).map((other) => ({ name: other })) : []
}

/** True if a quoted entry prices calls of a tool that was asked for, whichever vendor serves it. */
export function servesTool(key: string, name: string): boolean {
  return isOf(name, key) || counterparts(name).some((other) => isOf(other.name, key))
}

function pricesOf(prices: ToolPrices, model: string, { name, variant, at_least }: PricedTool): [string, ToolPrice][] {
  const own = toolPriceOf(prices, model, variant === undefined ? name : `${name}/${variant}`)
  const least = at_least === undefined || at_least <= 0 ? {} : { at_least }
  const known = variant === undefined ? {} : { variant: variant.slice(0, 32) }
  const base: [string, ToolPrice][] = own === undefined ? [] : [[name, { price: own, ...known, ...least }]]
  if (variant !== undefined) return base
  const variants = new Set(keysOf(prices).flatMap((key) => (key.tool.startsWith(`${name}/`) && fitsModel(key, model) ? [key.tool] : [])))
  return [
    ...base,
    ...[...variants].flatMap((key): [string, ToolPrice][] => {
      const price = toolPriceOf(prices, model, key)
      return price === undefined ? [] : [[key, { price }]]
    }),
  ]
}

/** The entry of a quote that prices calls reported as `name`: the name itself, otherwise the name with fewer variant parts. */
export function pricedNameOf(tools: Readonly<Record<string, ToolPrice>>, name: string): string | undefined {
  for (let key = name; ; key = key.slice(0, key.lastIndexOf('/'))) {
    if (Object.hasOwn(tools, key)) return key
    if (!key.includes('/')) return undefined
  }
}
