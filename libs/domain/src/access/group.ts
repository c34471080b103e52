import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { GroupSnapshot } from '@tollgate/contracts/relay/snapshot'

export type ResolvedGroup = { readonly kind: 'ok' | 'disabled' | 'gone'; readonly group: string }
type Groups = { readonly get: (name: string) => GroupSnapshot | undefined }

/**
 * The group that routes and prices a request: the token's, otherwise the user's. A token's group must be public or the user's own
 * (otherwise 'disabled') and must still have a ratio (otherwise 'gone'). The user's own group is always valid.
 */
export function resolveGroup(record: Pick<TokenRecord, 'group' | 'user_group'>, groups: Groups): ResolvedGroup {
  if (record.group === '') return { kind: 'ok', group: record.user_group }
  const known = groups.get(record.group)
  if (known === undefined) return { kind: 'gone', group: record.group }
  const isUsable = known.usable_label !== null || record.group === record.user_group
  return { kind: isUsable ? 'ok' : 'disabled', group: record.group }
}

/** A token of this group uses the first group of option AutoGroups that its user may use and that serves the model. */
export const AUTO_GROUP = 'auto'

/** True if the token selects its group automatically. A real group with that name takes precedence. */
export function isAutoGroup({ group }: Pick<TokenRecord, 'group'>, groups: Groups): boolean {
  return group === AUTO_GROUP && groups.get(AUTO_GROUP) === undefined
}

/** The groups that an automatic token tries, in the operator's order: those with a ratio that its user may use. */
export function listAutoGroups({ user_group }: Pick<TokenRecord, 'user_group'>, groups: Groups, order: readonly string[]): string[] {
  return order.filter((group) => groups.get(group) !== undefined && resolveGroup({ group, user_group }, groups).kind === 'ok')
}

/** The groups that a token's requests may use: those that an automatic token tries, otherwise its one group. */
export function listTokenGroups(record: Pick<TokenRecord, 'group' | 'user_group'>, groups: Groups, order: readonly string[]): string[] {
  return isAutoGroup(record, groups) ? listAutoGroups(record, groups, order) : [resolveGroup(record, groups).group]
}
