import { AppError } from '@tollgate/contracts/app-error'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { Member } from '@tollgate/contracts/resources/organisations'
import type { MemberRole } from '@tollgate/contracts/rights'
import type { Tx } from '@tollgate/db/connect'
import { listTokensMadeBy } from '@tollgate/db/queries/tokens/projects'
import { updateToken } from '@tollgate/db/queries/tokens/tokens'
import { countOtherOwners, findMemberRole, listMembers, removeMember, setMemberRole } from '@tollgate/db/queries/users/organisations'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { mayGive } from '@tollgate/domain/access/rights'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { changeOrganisation, requireMember, type MemberCall } from './chosen.ts'

export async function listOrganisationMembers(deps: Deps, { actor }: MemberCall): Promise<Member[]> {
  const { id } = requireMember(actor)
  return (await listMembers(deps.db, actor.id)).map((row) => ({ ...row, is_self: row.user_id === id }))
}

export async function giveRole(deps: Deps, by: MemberCall, userId: number, role: MemberRole): Promise<void> {
  await changeOrganisation(deps, by, async (tx) => {
    const before = await getRole(tx, by, userId)
    requireMayGive(by, before, role)
    if (before === 'owner' && role !== 'owner') await requireOtherOwner(tx, by, userId)
    await setMemberRole(tx, { organisation_id: by.actor.id, user_id: userId, role })
    const changes = [{ field: 'role', before, after: role }]
    return { result: undefined, audited: [{ action: 'update', resource: 'member', resource_id: userId, changes }] }
  })
}

/** Makes another member the owner; the caller becomes an administrator. */
export async function handOver(deps: Deps, by: MemberCall, userId: number): Promise<void> {
  const { id } = requireMember(by.actor)
  await changeOrganisation(deps, by, async (tx) => {
    const before = await getRole(tx, by, userId)
    if (userId === id) return { result: undefined, audited: [] }
    await setMemberRole(tx, { organisation_id: by.actor.id, user_id: userId, role: 'owner' })
    await setMemberRole(tx, { organisation_id: by.actor.id, user_id: id, role: 'admin' })
    const audited = [
      { action: 'update', resource: 'member', resource_id: userId, changes: [{ field: 'role', before, after: 'owner' }] },
      { action: 'update', resource: 'member', resource_id: id, changes: [{ field: 'role', before: 'owner', after: 'admin' }] },
    ] as const
    return { result: undefined, audited }
  })
}

type Ending = { readonly user_id: number; readonly tokens: 'disable' | 'keep' }

/** Ends a membership. Tokens that the member made know their keys by heart: they are disabled unless they shall stay. */
export async function endMembership(deps: Deps, by: MemberCall, { user_id, tokens }: Ending): Promise<void> {
  const { id } = requireMember(by.actor)
  const disabled = await changeOrganisation(deps, by, async (tx) => {
    const role = await getRole(tx, by, user_id)
    if (user_id !== id) requireMayGive(by, role, role)
    if (role === 'owner') await requireOtherOwner(tx, by, user_id)
    await removeMember(tx, { organisation_id: by.actor.id, user_id })
    const ended = tokens === 'keep' ? [] : await disableTokensOf(deps, tx, { organisation_id: by.actor.id, created_by: user_id })
    const changes = [{ field: 'role', before: role }, ...(ended.length === 0 ? [] : [{ field: 'tokens', after: `−${ended.length}` }])]
    return { result: ended, audited: [{ action: 'delete', resource: 'member', resource_id: user_id, changes }] }
  })
  await syncChanged(
    deps,
    disabled.map((token) => ({ subject: 'token', id: token })),
  )
}

type Maker = { readonly organisation_id: number; readonly created_by: number }

/** Disables the tokens that a member made; the caller syncs them after commit. */
export async function disableTokensOf(deps: Deps, tx: Tx, { organisation_id, created_by }: Maker): Promise<number[]> {
  const ids = await listTokensMadeBy(tx, { user_id: organisation_id, created_by })
  for (const id of ids) {
    await updateToken(tx, { id, user_id: organisation_id, patch: { status: TokenStatus.disabled } })
    await appendOutbox(tx, { subject: 'token', subject_id: id, now: nowSeconds(deps) })
  }
  return ids
}

async function getRole(tx: Tx, { actor }: MemberCall, user_id: number): Promise<MemberRole> {
  const role = await findMemberRole(tx, { organisation_id: actor.id, user_id })
  if (role === undefined) throw new AppError('record.missing')
  return role
}

function requireMayGive({ actor }: MemberCall, before: MemberRole, after: MemberRole): void {
  const { role } = requireMember(actor)
  if (!mayGive(role, before) || !mayGive(role, after)) throw new AppError('organisations.role')
}

async function requireOtherOwner(tx: Tx, { actor }: MemberCall, user_id: number): Promise<void> {
  if ((await countOtherOwners(tx, { organisation_id: actor.id, user_id })) === 0) throw new AppError('organisations.last-owner')
}
