import type { MemberRole } from '@tollgate/contracts/rights'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  changeScimGroup,
  countScim,
  createScimGroup,
  findScimGroup,
  listScimGroups,
  listScimMembers,
  listScimMemberships,
  listScimUserIds,
  listScimUsers,
  removeScimGroup,
  setScimGroupRole,
  setScimMembers,
  type ScimGroupRow,
} from '@tollgate/db/queries/users/scim'
import { applyPatch } from '@tollgate/domain/scim/patch'
import { readResource } from '@tollgate/domain/scim/read-resource'
import { groupSchema, isRecord, type Resource } from '@tollgate/domain/scim/schema'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { changedFields } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Provisioner } from './caller.ts'
import { changePeople, type Change } from './change.ts'
import { followRecord } from './membership.ts'
import { newId } from './new-id.ts'
import { collect, presentGroup, versionOf } from './present.ts'
import { requireFreeName, throwTaken } from './unique-name.ts'
import { changingOf, requireVersion, type Shown } from './users.ts'

const MAX_GROUPS = 500

export async function listGroups(deps: Deps, { organisation_id }: Provisioner, base: string): Promise<Resource[]> {
  return await presentAll(deps.db, await listScimGroups(deps.db, organisation_id), { organisation_id, base })
}

type Place = { readonly organisation_id: number; readonly base: string }

async function presentAll(db: Db | Tx, rows: readonly ScimGroupRow[], { organisation_id, base }: Place): Promise<Resource[]> {
  const byGroup = collect(await listScimMemberships(db, organisation_id), 'group_id')
  return rows.map((row) => presentGroup(base, row, byGroup.get(row.id) ?? []))
}

async function present(db: Db | Tx, row: ScimGroupRow, base: string): Promise<Shown> {
  const [resource = {}] = await presentAll(db, [row], { organisation_id: row.organisation_id, base })
  return { resource, version: versionOf(row) }
}

type Named = { readonly id: string; readonly base: string }
type Changed = Named & { readonly body: unknown; readonly expected: string | undefined }

export async function getGroup(deps: Deps, { organisation_id }: Provisioner, { id, base }: Named): Promise<Shown> {
  return await present(deps.db, await requireGroup(deps.db, { id, organisation_id }), base)
}

export async function createGroup(deps: Deps, by: Provisioner, { body, base }: Pick<Changed, 'body' | 'base'>): Promise<Shown> {
  const { display_name, external_id, members } = valuesOf(readResource(groupSchema, body))
  const { organisation_id } = by
  const now = nowSeconds(deps)
  const id = newId(deps.now())
  const look = async (db: Db | Tx): Promise<void> => {
    if ((await countScim(db, 'scim_groups', organisation_id)) >= MAX_GROUPS)
      throw new ScimError(403, `An organisation has at most ${MAX_GROUPS} groups`)
    await requireUsers(db, organisation_id, members)
  }
  await requireFreeName(deps.db, 'scim_groups', { organisation_id, name: display_name })
  await look(deps.db)
  const made = await changePeople(deps, changingOf(by), async ({ tx, audited }) => {
    await look(tx)
    const row = await createScimGroup(tx, { id, organisation_id, display_name, external_id, created_at: now, changed_at: now })
    await setScimMembers(tx, id, members)
    const changes = changedFields({}, { displayName: display_name, members: members.length })
    audited.push({ action: 'create', resource: 'scim-group', resource_id: id, changes })
    return row
  }).catch(throwTaken('scim_groups'))
  return await present(deps.db, made, base)
}

export async function replaceGroup(deps: Deps, by: Provisioner, { body, ...target }: Changed): Promise<Shown> {
  const wanted = readResource(groupSchema, body)
  return await change(deps, by, target, () => wanted)
}

export async function patchGroup(deps: Deps, by: Provisioner, { body, ...target }: Changed): Promise<Shown> {
  return await change(deps, by, target, (row, members) => {
    const { display_name: displayName, external_id: externalId } = row
    return applyPatch(groupSchema, { displayName, externalId, members: members.map((value) => ({ value })) }, body)
  })
}

export async function removeGroup(deps: Deps, by: Provisioner, { id, expected }: Pick<Changed, 'id' | 'expected'>): Promise<void> {
  const look = async (db: Db | Tx) => await requireGroup(db, { id, organisation_id: by.organisation_id }, expected)
  await look(deps.db)
  await changePeople(deps, changingOf(by), async (made) => {
    const row = await look(made.tx)
    const members = await listScimMembers(made.tx, id)
    await removeScimGroup(made.tx, id)
    const changes = [{ field: 'displayName', before: row.display_name }]
    made.audited.push({ action: 'delete', resource: 'scim-group', resource_id: id, changes })
    if (row.role !== null) await followAll(deps, made, members)
  })
}

type Target = Pick<Changed, 'id' | 'base' | 'expected'>

async function change(
  deps: Deps,
  by: Provisioner,
  { id, base, expected }: Target,
  wantedOf: (row: ScimGroupRow, members: readonly string[]) => Resource,
): Promise<Shown> {
  const { organisation_id } = by
  const look = async (db: Db | Tx) => {
    const row = await requireGroup(db, { id, organisation_id }, expected)
    const before = await listScimMembers(db, id)
    const values = valuesOf(wantedOf(row, before))
    const moved = [...new Set(before).symmetricDifference(new Set(values.members))]
    await requireUsers(db, organisation_id, [...new Set(values.members).difference(new Set(before))])
    return { row, before, moved, ...values }
  }
  const { display_name: wantedName } = await look(deps.db)
  await requireFreeName(deps.db, 'scim_groups', { organisation_id, name: wantedName, except: id })
  const changed = await changePeople(deps, changingOf(by), async (made) => {
    const { row, before, moved, display_name, external_id, members } = await look(made.tx)
    const changes = [
      ...changedFields({ displayName: row.display_name }, { displayName: display_name }),
      ...changedFields({ members: before.length }, { members: members.length }),
    ]
    const isSame = changes.length === 0 && moved.length === 0 && external_id === row.external_id
    const after = isSame ? row : await changeScimGroup(made.tx, id, { display_name, external_id, changed_at: nowSeconds(deps) })
    if (!isSame) made.audited.push({ action: 'update', resource: 'scim-group', resource_id: id, changes })
    if (moved.length > 0) await setScimMembers(made.tx, id, members)
    if (row.role !== null) await followAll(deps, made, moved)
    return after
  }).catch(throwTaken('scim_groups'))
  return await present(deps.db, changed, base)
}

/** Gives a group another role: members by it follow at once. */
export async function giveGroupRole(deps: Deps, made: Change, id: string, role: MemberRole | null): Promise<ScimGroupRow> {
  const row = await requireGroup(made.tx, { id, organisation_id: made.organisation_id })
  await setScimGroupRole(made.tx, id, role)
  const changes = changedFields({ role: row.role ?? '' }, { role: role ?? '' })
  if (changes.length > 0) made.audited.push({ action: 'update', resource: 'scim-group', resource_id: id, changes })
  await followAll(deps, made, await listScimMembers(made.tx, id))
  return row
}

/** Lets the memberships of these people, or of all who are active, follow their groups and addresses. */
export async function followAll(deps: Deps, made: Change, ids?: readonly string[]): Promise<void> {
  if (ids?.length === 0) return
  for (const row of await listScimUsers(made.tx, made.organisation_id, ids)) if (row.active) await followRecord(deps, made, row)
}

type Owned = { readonly id: string; readonly organisation_id: number }

async function requireUsers(db: Db | Tx, organisation_id: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = new Set(await listScimUserIds(db, organisation_id))
  const unknown = ids.find((one) => !known.has(one))
  if (unknown !== undefined) throw new ScimError(400, `There is no user ${unknown}`, 'invalidValue')
}

function valuesOf({ displayName, externalId, members }: Resource) {
  const listed = Array.isArray(members) ? members.filter(isRecord) : []
  return {
    display_name: String(displayName),
    external_id: typeof externalId === 'string' ? externalId : '',
    members: [...new Set(listed.map(({ value }) => (typeof value === 'string' ? value : '')))],
  }
}

async function requireGroup(db: Db | Tx, owned: Owned, expected?: string): Promise<ScimGroupRow> {
  const row = await findScimGroup(db, owned)
  if (row === undefined) throw new ScimError(404, `There is no group ${owned.id}`)
  requireVersion(row, expected)
  return row
}
