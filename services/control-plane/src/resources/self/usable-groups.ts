import type { UsableGroups } from '@tollgate/contracts/resources/self'
import type { Deps } from '../../deps.ts'

const OWN_GROUP_LABEL = '用户分组'

/** Groups that somebody of this group may choose: the ones open to all, and the own one. Groups without a ratio are left out. */
export async function usableGroups({ options }: Pick<Deps, 'options'>, group: string): Promise<UsableGroups> {
  const [ratios, open] = await Promise.all([options.get('GroupRatio'), options.get('UserUsableGroups')])
  const labels: Record<string, string> = { ...(group === '' ? { default: 'default' } : { [group]: OWN_GROUP_LABEL }), ...open }
  const entries = Object.entries(labels).flatMap(([name, desc]) => {
    const ratio = Object.hasOwn(ratios, name) ? ratios[name] : undefined
    return ratio === undefined ? [] : [[name, { ratio, desc }] as const]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
