import type { TokenRecord } from '@tollgate/contracts/internal'
import type { GroupSnapshot } from '@tollgate/contracts/snapshot'

export type ResolvedGroup = { readonly kind: 'ok' | 'disabled' | 'gone'; readonly group: string }
type Groups = { readonly get: (name: string) => GroupSnapshot | undefined }

/**
 * The group a request runs and is charged in: the token's own, else the user's. A token's group must be usable by everybody or be
 * the user's ('disabled'), and must still have a ratio ('gone'). The user's own group always serves.
 */
export function resolveGroup(record: Pick<TokenRecord, 'group' | 'user_group'>, groups: Groups): ResolvedGroup {
  if (record.group === '') return { kind: 'ok', group: record.user_group }
  const known = groups.get(record.group)
  if (known === undefined) return { kind: 'gone', group: record.group }
  const isUsable = known.usable_label !== null || record.group === record.user_group
  return { kind: isUsable ? 'ok' : 'disabled', group: record.group }
}

/** A token of this group runs in the first of the operator's groups (option AutoGroups) that its user may use and that has the model. */
export const AUTO_GROUP = 'auto'

/** Whether the token walks through groups; a site that has a group of that name means that one. */
export function isAutoGroup({ group }: Pick<TokenRecord, 'group'>, groups: Groups): boolean {
  return group === AUTO_GROUP && groups.get(AUTO_GROUP) === undefined
}

/** The groups that such a token walks through, in the operator's order: those that its user may use, with a ratio. */
export function listAutoGroups({ user_group }: Pick<TokenRecord, 'user_group'>, groups: Groups, order: readonly string[]): string[] {
  return order.filter((group) => groups.get(group) !== undefined && resolveGroup({ group, user_group }, groups).kind === 'ok')
}
