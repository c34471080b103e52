import type { ScimGroupRow, ScimMembershipRow, ScimUserRow } from '@tollgate/db/queries/users/scim'
import { GROUP_SCHEMA, USER_SCHEMA, type Resource } from '@tollgate/domain/scim/schema'

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const versionOf = ({ version }: { readonly version: number }): string => `W/"${version}"`

type Stored = Pick<ScimUserRow, 'id' | 'version' | 'created_at' | 'changed_at'>

const metaOf = (base: string, resourceType: 'User' | 'Group', row: Stored) => ({
  resourceType,
  created: timeOf(row.created_at),
  lastModified: timeOf(row.changed_at),
  location: `${base}/${resourceType}s/${row.id}`,
  version: versionOf(row),
})

/** The groups of each user, or the users of each group. */
export function collect(
  memberships: readonly ScimMembershipRow[],
  by: 'group_id' | 'scim_user_id',
): ReadonlyMap<string, readonly ScimMembershipRow[]> {
  return Map.groupBy(memberships, (one) => one[by])
}

type Groups = { readonly memberships: readonly ScimMembershipRow[]; readonly groups: ReadonlyMap<string, ScimGroupRow> }

export function presentUser(base: string, row: ScimUserRow, { memberships, groups }: Groups): Resource {
  const shown = memberships.flatMap(({ group_id }) => {
    const group = groups.get(group_id)
    return group === undefined ? [] : [{ value: group.id, $ref: `${base}/Groups/${group.id}`, display: group.display_name }]
  })
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...row.attributes,
    userName: row.user_name,
    // Removed by a PATCH: what it meant stays.
    ...(row.attributes['active'] === null ? { active: undefined } : { active: row.active }),
    ...(shown.length === 0 ? {} : { groups: shown }),
    meta: metaOf(base, 'User', row),
  }
}

export function presentGroup(base: string, row: ScimGroupRow, memberships: readonly ScimMembershipRow[]): Resource {
  const members = memberships.map(({ scim_user_id }) => ({
    value: scim_user_id,
    $ref: `${base}/Users/${scim_user_id}`,
    type: 'User',
  }))
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    displayName: row.display_name,
    ...(row.external_id === '' ? {} : { externalId: row.external_id }),
    ...(members.length === 0 ? {} : { members }),
    meta: metaOf(base, 'Group', row),
  }
}
