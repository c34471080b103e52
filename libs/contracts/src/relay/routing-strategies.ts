/** Rules that decide between channels of one priority. Without zod, for the console. */
export const ROUTING_STRATEGIES = [
  /** Drawn by weight. */
  'weight',
  /** The fastest ones of the last minutes, by weight among themselves. */
  'latency',
  /** Those with the lowest `cost_ratio`, by weight among themselves. */
  'price',
  /** Those whose useful tokens cost least, as recent requests show, by weight among themselves. */
  'effective-cost',
] as const
export type RoutingStrategy = (typeof ROUTING_STRATEGIES)[number]

/** Option `RoutingStrategies`: a strategy by group; `*` is every other group. */
export function strategyOf(strategies: Readonly<Record<string, RoutingStrategy>>, group: string): RoutingStrategy {
  const own = Object.hasOwn(strategies, group) ? strategies[group] : undefined
  return own ?? strategies['*'] ?? 'weight'
}
