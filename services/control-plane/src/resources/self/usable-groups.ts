import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { UsableGroups } from '@tollgate/contracts/resources/self'
import type { Deps } from '../../deps.ts'

const OWN_GROUP_LABEL = '用户分组'

/**
 * Groups that a user of this group may choose, with the ratio for that user group: the ones open to all, and the user's own. Groups without
 * a ratio are excluded.
 */
export async function usableGroups({ options }: Pick<Deps, 'options'>, group: string): Promise<UsableGroups> {
  const [GroupRatio, GroupGroupRatio, UserUsableGroups] = await Promise.all([
    options.get('GroupRatio'),
    options.get('GroupGroupRatio'),
    options.get('UserUsableGroups'),
  ])
  return toUsableGroups({ GroupRatio, GroupGroupRatio, UserUsableGroups }, group)
}

type Groups = Pick<OptionValues, 'GroupRatio' | 'GroupGroupRatio' | 'UserUsableGroups'>

export function toUsableGroups(
  { GroupRatio: general, GroupGroupRatio: made, UserUsableGroups: open }: Groups,
  group: string,
): UsableGroups {
  const own = Object.hasOwn(made, group) ? made[group] : undefined
  const labels: Record<string, string> = { ...(group === '' ? { default: 'default' } : { [group]: OWN_GROUP_LABEL }), ...open }
  const entries = Object.entries(labels).flatMap(([name, desc]) => {
    const ratio = Object.hasOwn(general, name) ? general[name] : undefined
    if (ratio === undefined) return []
    return [[name, { ratio: own !== undefined && Object.hasOwn(own, name) ? (own[name] ?? ratio) : ratio, desc }] as const]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
