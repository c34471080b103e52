import type { GroupSnapshot } from '@tollgate/contracts/snapshot'

/** The ratio that a user of `userGroup` pays in a group; `user_group` is set if the ratio is specific to it (option GroupGroupRatio). */
export function groupRatioOf(group: GroupSnapshot | undefined, userGroup: string): { group_ratio: number; user_group?: string } {
  const own = group?.ratio_for !== undefined && Object.hasOwn(group.ratio_for, userGroup) ? group.ratio_for[userGroup] : undefined
  return own === undefined ? { group_ratio: group?.ratio ?? 1 } : { group_ratio: own, user_group: userGroup }
}
