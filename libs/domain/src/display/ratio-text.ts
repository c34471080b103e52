import type { Ratio } from '@tollgate/contracts/units'

/** A ratio as people type it: shortest decimal text with a multiplication sign, never `0.30000000000000004`. */
export function ratioText(ratio: Ratio): string {
  return `${plain(ratio)}×`
}

/**
 * Deduction of the token screens from a group ratio: they show the recorded one less 0.2, never below 0, with the recorded decimals
 * (specification B section 9, reading Q-10). Charges follow the recorded ratio; show it on hover.
 */
export const TOKEN_GROUP_RATIO_DISCOUNT = 0.2

export function shownTokenGroupRatio(ratio: Ratio): Ratio {
  const decimals = Math.max(plain(ratio).split('.')[1]?.length ?? 0, 1)
  return Number(Math.max(0, ratio - TOKEN_GROUP_RATIO_DISCOUNT).toFixed(decimals))
}

function plain(ratio: Ratio): string {
  return Number(ratio.toPrecision(12)).toString()
}
