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
