import { AppError } from '@tollgate/contracts/app-error'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { MovableToken } from '@tollgate/contracts/resources/organisations'
import type { UsableGroups } from '@tollgate/contracts/resources/self'
import { hashTokenKey, sealedBy } from '@tollgate/config/sealing'
import type { Tx } from '@tollgate/db/connect'
import { moveToken } from '@tollgate/db/queries/tokens/move-token'
import { countOpenWork } from '@tollgate/db/queries/tokens/open-work'
import { findProjectName } from '@tollgate/db/queries/tokens/projects'
import { addGranted, createTokenGrant, listTokens, lockToken } from '@tollgate/db/queries/tokens/tokens'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { removeTokenRecord } from '@tollgate/redis/stores/token-store'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { usableGroups } from '../self/usable-groups.ts'
import { checkGroup } from '../tokens/policy.ts'
import { changeOrganisation, requireMember, type MemberCall } from './chosen.ts'

/** Tokens that are listed and moved at once. */
const MAX_AT_ONCE = 100

/** The enabled tokens of the member's own account. */
export async function listMovableTokens(deps: Deps, { actor }: MemberCall): Promise<MovableToken[]> {
  const rows = await listTokens(deps.db, { user_id: requireMember(actor).id, limit: MAX_AT_ONCE, offset: 0 })
  return rows
    .filter(({ status }) => status === TokenStatus.enabled)
    .map(({ id, name, granted, charged, used_quota, unlimited_quota }) => {
      return { id, name, remain_quota: granted - charged, used_quota, unlimited_quota }
    })
}

type Moved = { readonly id: number; readonly old: number; readonly key_hash: string }

/**
 * Moves tokens of the member's own account into a project. Their keys stay; requests that are running are charged to the account in which
 * they began, all later ones to the organisation.
 */
export async function moveOwnTokens(deps: Deps, by: MemberCall, project_id: number, ids: readonly number[]): Promise<{ moved: number }> {
  const usable = await usableGroups(deps, by.actor.group)
  const moved = await changeOrganisation(deps, by, async (tx) => {
    const name = await findProjectName(tx, { id: project_id, organisation_id: by.actor.id })
    if (name === undefined) throw new AppError('record.missing')
    const result: Moved[] = []
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) result.push(await moveOne(deps, tx, by, { id, project_id, usable }))
    const changes = [{ field: 'project', after: name }]
    return { result, audited: result.map(({ id }) => ({ action: 'move', resource: 'token', resource_id: id, changes }) as const) }
  })
  // The records of the keys name the accounts that they had. The old one may carry a greater number of its account, and would stay.
  for (const { key_hash } of moved) await removeTokenRecord(deps.redis, key_hash)
  await syncChanged(
    deps,
    moved.flatMap(({ id, old }) => [id, old]).map((id) => ({ subject: 'token', id })),
  )
  return { moved: moved.length }
}

type One = { readonly id: number; readonly project_id: number; readonly usable: UsableGroups }

async function moveOne(deps: Deps, tx: Tx, { actor }: MemberCall, { id, project_id, usable }: One): Promise<Moved> {
  const { id: from } = requireMember(actor)
  const now = nowSeconds(deps)
  const row = await lockToken(tx, { id, user_id: from })
  if (row === undefined || row.status !== TokenStatus.enabled) throw new AppError('record.missing')
  checkGroup(row.group, usable)
  const { tasks, batches, responses } = await countOpenWork(tx, { id, user_id: from })
  const count = tasks + batches + responses
  if (count > 0) throw new AppError('organisations.open-work', { name: row.name, count })
  const key_hash = hashTokenKey(`moved:${id}`)
  const left = { key_hash, key_sealed: deps.sealers.options.seal('', sealedBy.tokenKey(key_hash)) }
  const moved = await moveToken(tx, { id, from, to: { user_id: actor.id, project_id, created_by: from }, left, now })
  const amount = row.granted - row.charged
  await createTokenGrant(tx, { token_id: moved, kind: 'create', amount, reference: `token:${moved}`, actor_id: from, now })
  await addGranted(tx, { token_id: moved, amount })
  for (const subject_id of [id, moved]) await appendOutbox(tx, { subject: 'token', subject_id, now })
  return { id: moved, old: id, key_hash: row.key_hash }
}
