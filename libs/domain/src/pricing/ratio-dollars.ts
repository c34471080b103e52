import type { Ratio } from '@tollgate/contracts/units'

/** A ratio of 1 is 2 US dollars per million tokens. */
export const USD_PER_MILLION_AT_RATIO_1 = 2

/** Rounds off the tail of binary products such as 0.1 × 0.2. */
export const tidy = (value: number): number => Number(value.toPrecision(12))

export const dollarsOfRatio = (ratio: Ratio): number => tidy(ratio * USD_PER_MILLION_AT_RATIO_1)
export const ratioOfDollars = (dollars: number): Ratio => tidy(dollars / USD_PER_MILLION_AT_RATIO_1)
