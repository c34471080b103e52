import { ownValue } from '@tollgate/contracts/values/own-value'
import type { Quota } from '@tollgate/contracts/units'

type Costing = { readonly cost_ratio: number; readonly groupRatios: Readonly<Record<string, number>> }

/**
 * Charge of the upstream for calls that users paid `quota` for: the charge without the group's ratio, times the channel's `cost_ratio`. An
 * estimate: the group's ratio is the present one, and a group that pays nothing hides its use.
 */
export function costOf(parts: readonly { readonly group: string; readonly quota: Quota }[], { cost_ratio, groupRatios }: Costing): Quota {
  const list = parts.reduce((sum, { group, quota }) => {
    const ratio = ownValue(groupRatios, group) ?? 1
    return ratio > 0 ? sum + quota / ratio : sum
  }, 0)
  return Math.round(list * cost_ratio)
}
