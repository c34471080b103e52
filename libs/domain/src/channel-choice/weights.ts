/** Added to every weight, so that a channel of weight 0 can be drawn. */
const WEIGHT_FLOOR = 10

/**
 * Shares of the weights in a draw: the weight + 10, negative ones as 0. Exact weights count as they are, so that 0 is a reserve: it is
 * drawn only among zeros.
 */
export function drawnWeights(weights: readonly number[], isExact: boolean): number[] {
  const given = weights.map((weight) => Math.max(weight, 0))
  if (!isExact) return given.map((weight) => weight + WEIGHT_FLOOR)
  return given.some((weight) => weight > 0) ? given : given.map(() => 1)
}

/** The part of the requests that each of these weights gets. */
export function sharesOfWeights(weights: readonly number[], isExact: boolean): number[] {
  const drawn = drawnWeights(weights, isExact)
  const total = drawn.reduce((sum, weight) => sum + weight, 0)
  return drawn.map((weight) => weight / total)
}
