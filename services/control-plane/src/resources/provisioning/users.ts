import { MAX_MEMBERS } from '@tollgate/contracts/resources/organisations'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  changeScimUser,
  countScim,
  createScimUser,
  findScimUser,
  listScimGroups,
  listScimMemberships,
  listScimUsers,
  removeScimUser,
  type ScimUserRow,
} from '@tollgate/db/queries/users/scim'
import { applyPatch } from '@tollgate/domain/scim/patch'
import { readResource } from '@tollgate/domain/scim/read-resource'
import { userSchema, type Resource } from '@tollgate/domain/scim/schema'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { changedFields } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Provisioner } from './caller.ts'
import { changePeople } from './change.ts'
import { endMember, followRecord } from './membership.ts'
import { newId } from './new-id.ts'
import { collect, presentUser, versionOf } from './present.ts'
import { requireFreeName, throwTaken } from './unique-name.ts'

export type Shown = { readonly resource: Resource; readonly version: string }

/** All users of the organisation. */
export async function listUsers(deps: Deps, { organisation_id }: Provisioner, base: string): Promise<Resource[]> {
  return await presentAll(deps.db, await listScimUsers(deps.db, organisation_id), { organisation_id, base })
}

type Place = { readonly organisation_id: number; readonly base: string }

async function presentAll(db: Db | Tx, rows: readonly ScimUserRow[], { organisation_id, base }: Place): Promise<Resource[]> {
  const [groups, memberships] = [await listScimGroups(db, organisation_id), await listScimMemberships(db, organisation_id)]
  const byId = new Map(groups.map((group) => [group.id, group]))
  const byUser = collect(memberships, 'scim_user_id')
  return rows.map((row) => presentUser(base, row, { groups: byId, memberships: byUser.get(row.id) ?? [] }))
}

async function present(db: Db | Tx, row: ScimUserRow, base: string): Promise<Shown> {
  const [resource = {}] = await presentAll(db, [row], { organisation_id: row.organisation_id, base })
  return { resource, version: versionOf(row) }
}

type Named = { readonly id: string; readonly base: string }
type Changed = Named & {
  readonly body: unknown
  /** Header If-Match. */
  readonly expected: string | undefined
}

export async function getUser(deps: Deps, { organisation_id }: Provisioner, { id, base }: Named): Promise<Shown> {
  return await present(deps.db, await requireUser(deps.db, { id, organisation_id }), base)
}

export async function createUserResource(deps: Deps, by: Provisioner, { body, base }: Pick<Changed, 'body' | 'base'>): Promise<Shown> {
  const { user_name, active = true, attributes } = valuesOf(readResource(userSchema, body))
  const { organisation_id } = by
  const now = nowSeconds(deps)
  const id = newId(deps.now())
  const requirePlace = async (db: Db | Tx): Promise<void> => {
    if ((await countScim(db, 'scim_users', organisation_id)) >= MAX_MEMBERS)
      throw new ScimError(403, `An organisation has at most ${MAX_MEMBERS} people`)
  }
  await requireFreeName(deps.db, 'scim_users', { organisation_id, name: user_name })
  await requirePlace(deps.db)
  const made = await changePeople(deps, changingOf(by), async (change) => {
    await requirePlace(change.tx)
    const row = await createScimUser(change.tx, { id, organisation_id, user_name, active, attributes, created_at: now, changed_at: now })
    change.audited.push({
      action: 'create',
      resource: 'scim-user',
      resource_id: id,
      changes: changedFields({}, auditedOf({ user_name, active })),
    })
    await followRecord(deps, change, row)
    return row
  }).catch(throwTaken('scim_users'))
  return await present(deps.db, made, base)
}

export async function replaceUser(deps: Deps, by: Provisioner, { id, base, body, expected }: Changed): Promise<Shown> {
  const wanted = readResource(userSchema, body)
  return await change(deps, by, { id, base, expected }, () => wanted)
}

export async function patchUser(deps: Deps, by: Provisioner, { id, base, body, expected }: Changed): Promise<Shown> {
  return await change(deps, by, { id, base, expected }, (row) => {
    const active = row.attributes['active'] === null ? undefined : row.active
    const after = applyPatch(userSchema, { ...row.attributes, userName: row.user_name, active }, body)
    return after['active'] === undefined ? { ...after, active: null } : after
  })
}

/** Deletes a user: the membership ends. */
export async function removeUserResource(deps: Deps, by: Provisioner, { id, expected }: Pick<Changed, 'id' | 'expected'>): Promise<void> {
  const look = async (db: Db | Tx) => await requireUser(db, { id, organisation_id: by.organisation_id }, expected)
  await look(deps.db)
  await changePeople(deps, changingOf(by), async (made) => {
    const { user_id, user_name, is_made } = await look(made.tx)
    if (user_id !== null) await endMember(deps, made, { user_id, sessions: is_made ? 'end' : 'stay' })
    await removeScimUser(made.tx, id)
    made.audited.push({ action: 'delete', resource: 'scim-user', resource_id: id, changes: [{ field: 'userName', before: user_name }] })
  })
}

type Target = Pick<Changed, 'id' | 'base' | 'expected'>

async function change(
  deps: Deps,
  by: Provisioner,
  { id, base, expected }: Target,
  wantedOf: (row: ScimUserRow) => Resource,
): Promise<Shown> {
  const look = async (db: Db | Tx) => {
    const row = await requireUser(db, { id, organisation_id: by.organisation_id }, expected)
    return { row, ...valuesOf(wantedOf(row)) }
  }
  const { user_name: wantedName } = await look(deps.db)
  await requireFreeName(deps.db, 'scim_users', { organisation_id: by.organisation_id, name: wantedName, except: id })
  const changed = await changePeople(deps, changingOf(by), async (made) => {
    const { row, user_name, active = row.active, attributes } = await look(made.tx)
    const changes = changedFields(auditedOf(row), auditedOf({ user_name, active }))
    const isSame = changes.length === 0 && JSON.stringify(attributes) === JSON.stringify(sorted(row.attributes))
    const after = isSame ? row : await changeScimUser(made.tx, id, { user_name, active, attributes, changed_at: nowSeconds(deps) })
    if (!isSame) made.audited.push({ action: 'update', resource: 'scim-user', resource_id: id, changes })
    await followRecord(deps, made, after)
    return after
  }).catch(throwTaken('scim_users'))
  return await present(deps.db, changed, base)
}

type Values = { readonly user_name: string; readonly active?: boolean; readonly attributes: Record<string, unknown> }

function valuesOf({ userName, active, ...attributes }: Resource): Values {
  return {
    user_name: String(userName),
    ...(typeof active === 'boolean' ? { active } : {}),
    attributes: sorted(active === null ? { ...attributes, active } : attributes),
  }
}

/** In the order of the names, so that two can be compared as text. */
function sorted(attributes: Resource): Record<string, unknown> {
  const plain: unknown = JSON.parse(
    JSON.stringify(attributes, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  )
  return plain as Record<string, unknown> // the copy of a record
}

const auditedOf = ({ user_name, active }: { readonly user_name: string; readonly active: boolean }) => ({ userName: user_name, active })

export const changingOf = (by: Provisioner) => ({ by, organisation_id: by.organisation_id, made_by: by.made_by, signal: by.signal })

type Owned = { readonly id: string; readonly organisation_id: number }

async function requireUser(db: Db | Tx, owned: Owned, expected?: string): Promise<ScimUserRow> {
  const row = await findScimUser(db, owned)
  if (row === undefined) throw new ScimError(404, `There is no user ${owned.id}`)
  requireVersion(row, expected)
  return row
}

/** https://www.rfc-editor.org/rfc/rfc7644#section-3.14 */
export function requireVersion(row: { readonly version: number }, expected: string | undefined): void {
  if (expected === undefined || expected.trim() === '*') return
  const wanted = expected.split(',').map((one) => one.trim())
  if (!wanted.includes(versionOf(row))) throw new ScimError(412, 'The resource has changed meanwhile', 'invalidVers')
}
