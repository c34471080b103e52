import { allowsOption, PRICED_OPTIONS, type PricedOption } from '@tollgate/contracts/pricing/priced-options'
import { isObject, textAt, type JsonObject } from '../json.ts'
import { tokenLimit } from './token-limit.ts'

/** The priced options of a request and their values, in lower case; `models` has none. */
export type OptionValues = Partial<Record<PricedOption, string>>

/** The field's names in all formats. */
const FIELDS = {
  service_tier: 'service_tier',
  serviceTier: 'service_tier',
  speed: 'speed',
  inference_geo: 'inference_geo',
  models: 'models',
  fallbacks: 'fallbacks',
} as const
const NAMES = Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[] // Object.keys widens

/** Values at the normal price, or that leave the choice to the vendor's account. */
const NORMAL = new Set([
  '',
  'auto',
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'unspecified',
  'normal',
  'global',
  'not_available',
])

/** The priced options of a body; undefined: none, as almost always. */
export function readPricedOptions(body: JsonObject): OptionValues | undefined {
  let found: OptionValues | undefined
  for (const name of NAMES) {
    const value = valueOf(name, body[name])
    if (value !== undefined) found = { ...found, [FIELDS[name]]: value }
  }
  return found
}

/**
 * Models that a body names besides its own, without repeats: fallbacks of Anthropic and OpenRouter, and the model of a tool, such as
 * Anthropic's advisor. https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool ·
 * https://openrouter.ai/docs/guides/routing/model-fallbacks
 */
export function otherModels(body: JsonObject): readonly OtherModel[] {
  const { models, fallbacks, tools } = body
  if (models === undefined && fallbacks === undefined && !Array.isArray(tools)) return NO_MODELS
  const found = new Map<string, OtherModel>()
  const add = (list: unknown, option?: PricedOption) => {
    for (const entry of Array.isArray(list) ? list : []) {
      const model = modelNamedBy(entry)
      if (model === undefined || model === body['model']) continue
      const max_tokens = isObject(entry) ? tokenLimit(entry['max_tokens']) : undefined
      // An option that a tool names is always passed on.
      if (option === undefined || !found.has(model))
        found.set(model, { model, ...(option === undefined ? {} : { option }), ...(max_tokens === undefined ? {} : { max_tokens }) })
    }
  }
  add(models, 'models')
  add(fallbacks, 'fallbacks')
  add(tools)
  return [...found.values()]
}

/** A model that may serve a part of the request: only if its channel passes the option on; `max_tokens`: its own limit. */
export type OtherModel = { readonly model: string; readonly option?: PricedOption; readonly max_tokens?: number }

const NO_MODELS: readonly OtherModel[] = []

function modelNamedBy(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry
  // A function that the client runs may have any field.
  return isObject(entry) && entry['type'] !== 'function' && !isObject(entry['function']) ? textAt(entry, 'model') : undefined
}

/** The body without the priced options that a channel does not allow; the same object if there are none. */
export function withoutPricedOptions(body: JsonObject, setting: Readonly<Record<string, unknown>>): JsonObject {
  const isRefused = (name: keyof typeof FIELDS) => valueOf(name, body[name]) !== undefined && !allowsOption({ setting }, FIELDS[name])
  if (!NAMES.some(isRefused)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !NAMES.some((known) => known === name && isRefused(known))))
}

function valueOf(name: keyof typeof FIELDS, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (name === 'models' || name === 'fallbacks') return Array.isArray(value) && value.length > 0 ? '' : undefined
  if (typeof value !== 'string') return undefined
  const tier = value.toLowerCase().replace(/^service_tier_/, '')
  return NORMAL.has(tier) ? undefined : tier.slice(0, 32)
}

/** Beta features that raise the price: https://platform.claude.com/docs/en/build-with-claude/fast-mode · long prompts have price cards. */
export function withoutPricedBetas(
  headers: Readonly<Record<string, string>>,
  { setting, hasCards }: { readonly setting: Readonly<Record<string, unknown>>; readonly hasCards: boolean },
): Readonly<Record<string, string>> {
  const betas = headers['anthropic-beta']
  if (betas === undefined) return headers
  const isAllowed = (name: string) => {
    if (name.startsWith('fast-mode-')) return setting[PRICED_OPTIONS.speed.setting] === true
    return !name.startsWith('context-1m-') || hasCards
  }
  const kept = betas.split(',').filter((name) => isAllowed(name.trim().toLowerCase()))
  const { 'anthropic-beta': _, ...rest } = headers
  return kept.length === 0 ? rest : { ...rest, 'anthropic-beta': kept.join(',') }
}
