import type { Quota } from '@tollgate/contracts/units'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { costRatioOf, hasCostRatio, type CostSetting } from '../channel-choice/preference.ts'

/** The charge of one group for calls of one model. */
type Part = { readonly group: string; readonly model: string; readonly quota: Quota }
type Costing = CostSetting & { readonly groupRatios: Readonly<Record<string, number>> }

/**
 * Charge of the upstream for calls of a channel: the charges without the group's ratio, each times the model's cost ratio; undefined: the
 * channel has no cost ratio. An estimate: the group's ratio is the present one, and a group that pays nothing hides its use.
 */
export function costOf(parts: readonly Part[], { setting, groupRatios }: Costing): Quota | undefined {
  if (!hasCostRatio({ setting })) return undefined
  const cost = parts.reduce((sum, { group, model, quota }) => {
    const ratio = ownValue(groupRatios, group) ?? 1
    return ratio > 0 ? sum + (quota / ratio) * costRatioOf({ setting }, model) : sum
  }, 0)
  return Math.round(cost)
}
