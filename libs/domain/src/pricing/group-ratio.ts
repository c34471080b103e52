import type { GroupSnapshot } from '@tollgate/contracts/relay/snapshot'
import { entryNameFor } from './entry-name.ts'

/** The ratio of a group, and what made it another than the group's own. */
export type GroupRatio = { readonly group_ratio: number; readonly user_group?: string; readonly group_model?: string }

/**
 * The ratio that a user of `userGroup` pays for a model in a group. A ratio of the model in this group (option GroupModelRatio) comes
 * before one of the user's group (GroupGroupRatio), and that before the group's.
 */
export function groupRatioOf(
  group: GroupSnapshot | undefined,
  { userGroup, model }: { readonly userGroup: string; readonly model: string },
): GroupRatio {
  const group_model = group?.ratio_of === undefined ? undefined : entryNameFor(group.ratio_of, model)
  if (group_model !== undefined) return { group_ratio: group?.ratio_of?.[group_model] ?? 1, group_model }
  const own = group?.ratio_for !== undefined && Object.hasOwn(group.ratio_for, userGroup) ? group.ratio_for[userGroup] : undefined
  return own === undefined ? { group_ratio: group?.ratio ?? 1 } : { group_ratio: own, user_group: userGroup }
}
