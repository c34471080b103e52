import { ownValue } from '../values/own-value.ts'

/** Chains of models that answer in place of the requested one. Without zod, for the console. */

/** Longest chain, without the requested model. */
export const MAX_FALLBACKS = 5

/** Who gave the chain of a request. */
export const FALLBACK_SOURCES = ['client', 'token', 'group', 'site'] as const
export type FallbackSource = (typeof FALLBACK_SOURCES)[number]

/** Why a model of a chain did not serve a request. */
export const PASSED_REASONS = [
  /** Its attempts failed before a byte was sent. */
  'failed',
  /** Its channels pause, are full, disabled or outside their schedule. */
  'no-channel',
  /** No channel of the group has it. */
  'unknown',
  /** It has no price. */
  'unpriced',
  /** The token's list leaves it out. */
  'not-allowed',
  /** Its channels cannot carry the request. */
  'unsupported',
  /** The balance or the token's rest does not reach its least hold. */
  'hold',
  /** Its limits, or those of its group, have no room. */
  'limit',
  /** Another model answered the conversation before. */
  'conversation',
] as const
export type PassedReason = (typeof PASSED_REASONS)[number]

/** Option `ModelFallbacks`: chains by group and requested model; `*` is every other group or model. */
export type ModelFallbacks = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export type FoundFallbacks = { readonly by: Extract<FallbackSource, 'group' | 'site'>; readonly models: readonly string[] }

/** The chain of a model: of the group before that of every other group, of the model before that of every other model. */
export function fallbacksOf(
  chains: ModelFallbacks,
  { group, model }: { readonly group: string; readonly model: string },
): FoundFallbacks | undefined {
  const own = group === '*' ? undefined : ownValue(chains, group)
  const chain = own === undefined ? undefined : (ownValue(own, model) ?? ownValue(own, '*'))
  if (chain !== undefined) return { by: 'group', models: chain }
  const site = ownValue(chains, '*')
  const other = site === undefined ? undefined : (ownValue(site, model) ?? ownValue(site, '*'))
  return other === undefined ? undefined : { by: 'site', models: other }
}

/** The models after the requested one: each once, without the requested one, no more than the longest chain. */
export function chainAfter(model: string, models: readonly string[]): string[] {
  return [...new Set(models)].filter((name) => name !== model && name !== '').slice(0, MAX_FALLBACKS)
}

/** The model at which a chain leads back to one that it has tried before; undefined: none. */
export function findLoop(model: string, chain: readonly string[]): string | undefined {
  return chain.find((name, at) => name === model || chain.indexOf(name) < at)
}
