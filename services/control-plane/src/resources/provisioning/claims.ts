import type { MemberRole } from '@tollgate/contracts/rights'
import { UserStatus } from '@tollgate/contracts/enums'
import {
  findMember,
  listMappedClaims,
  listOwnMemberships,
  type ClaimRow,
  type OwnMembership,
} from '@tollgate/db/queries/users/organisations'
import type { AccountRow } from '@tollgate/db/queries/users/users'
import { isRecord } from '@tollgate/domain/scim/schema'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import type { Deps } from '../../deps.ts'
import { changePeople, type Change } from './change.ts'
import { endMember, keepMember, mightiest } from './membership.ts'

type Claims = Readonly<Record<string, unknown>>
type SignedIn = { readonly claims: Claims; readonly ip: string }

/**
 * Lets the memberships of a person who signs in follow the claims of the provider: groups give roles, and a membership that a group gave
 * ends without it. Memberships that people or SCIM gave stay.
 */
export async function followClaims(deps: Deps, account: AccountRow, { claims, ip }: SignedIn): Promise<void> {
  if (account.status !== UserStatus.enabled) return
  const [mapped, own] = [await listMappedClaims(deps.db), await listOwnMemberships(deps.db, account.id)]
  const byOrganisation = Map.groupBy(mapped, (row) => row.organisation_id)
  const followed = own.filter(({ source }) => source === 'oidc').map((one) => one.organisation_id)
  for (const id of new Set([...byOrganisation.keys(), ...followed])) {
    const rows = byOrganisation.get(id) ?? []
    if (rows.some(({ claim }) => isWithheld(claims, claim))) continue
    const role = mightiest(rows.filter((row) => hasValue(claims, row)).map((row) => row.role))
    const member = own.find((one) => one.organisation_id === id)
    if (hasToFollow(member, role)) await follow(deps, account, { organisation_id: id, role, ip })
  }
}

/** True if a membership is not what the claims say. */
function hasToFollow(member: OwnMembership | undefined, role: MemberRole | undefined): boolean {
  if (member === undefined) return role !== undefined
  return member.source === 'oidc' && member.role !== role
}

type Followed = { readonly organisation_id: number; readonly role: MemberRole | undefined; readonly ip: string }

async function follow(deps: Deps, account: AccountRow, { organisation_id, role, ip }: Followed): Promise<void> {
  const { id: user_id, username, role: account_role } = account
  const member = { id: user_id, username, account_role, role: role ?? 'viewer' }
  const by = { actor: { id: organisation_id, username: '', role: 1, member }, ip }
  try {
    await changePeople(deps, { by, organisation_id, made_by: user_id }, async (change: Change) => {
      const before = await findMember(change.tx, { organisation_id, user_id })
      // A person may have given the membership meanwhile.
      if (before !== undefined && before.source !== 'oidc') return
      if (role === undefined) await endMember(deps, change, { user_id, sessions: 'stay' })
      else await keepMember(deps, change, { user_id, role, source: 'oidc' })
    })
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    // The last owner stays, and a full organisation takes no more members: the sign-in itself succeeds.
    deps.log.warn({ user_id, reason: error.message }, 'A membership could not follow the groups of a sign-in')
  }
}

/** Entra ID leaves a claim with too many values out and names where it could be read: then the values are unknown. */
function isWithheld(claims: Claims, claim: string): boolean {
  const names = claims['_claim_names']
  return (isRecord(names) && names[claim] !== undefined) || (claim === 'groups' && claims['hasgroups'] !== undefined)
}

/** True if a claim has the value, or a list with it. The name is taken as it is first, and else as a path. */
function hasValue(claims: Claims, { claim, value }: ClaimRow): boolean {
  const found = claims[claim] ?? claim.split('.').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), claims)
  const values: readonly unknown[] = Array.isArray(found) ? found : [found]
  return values.some((one) => (typeof one === 'string' || typeof one === 'number') && String(one) === value)
}
