import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { Tx } from '@tollgate/db/connect'
import { createProject, moveAllTokens } from '@tollgate/db/queries/tokens/projects'
import { movePerson } from '@tollgate/db/queries/users/person'
import { findOrganisation } from '@tollgate/db/queries/users/organisations'
import { createUser, findAccount, lockUser, updateUser } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import type { Actor } from '@tollgate/http/actor'
import type { Context } from 'hono'
import { endAllSessions, startSession } from '../../authentication/cookie-sessions.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { createInviteCode } from '../setup/invite-code.ts'
import { accountName, enterOrganisation, mayFound } from './found.ts'
import { checkOrganisationName } from './names.ts'

type Converted = { readonly id: number; readonly user_id: number }
type Call = { readonly actor: Actor; readonly ip: string; readonly c: Context }

/**
 * Makes a person's account an organisation's. The account keeps its wallet, tokens with their keys, and history, so nothing that is under
 * way changes; its tokens become those of a project. The person gets a new account with the name, credentials and identities.
 */
export async function convertAccount(
  deps: Deps,
  { actor, ip, c }: Call,
  wanted: { readonly name: string; readonly project: string },
): Promise<Converted> {
  const name = checkOrganisationName(wanted.name)
  const project = checkOrganisationName(wanted.project)
  if (!(await mayFound(deps, actor))) throw new AppError('organisations.off')
  const converted = await deps.db.transaction().execute((tx) => convert(deps, tx, { actor, ip, name, project }))
  await endAllSessions(deps, converted.id)
  await syncChanged(deps, [
    { subject: 'user', id: converted.id },
    { subject: 'user', id: converted.user_id },
  ])
  const account = await findAccount(deps.db, converted.user_id)
  if (account !== undefined && actor.session_hash !== undefined)
    await startSession(deps, c, account, { proved_at: actor.proved_at ?? 0, signed_in_by: actor.signed_in_by })
  return converted
}

type Wanted = { readonly actor: Actor; readonly ip: string; readonly name: string; readonly project: string }

async function convert(deps: Deps, tx: Tx, { actor, ip, name, project }: Wanted): Promise<Converted> {
  const now = nowSeconds(deps)
  const row = await lockUser(tx, actor.id)
  if (row === undefined || row.deleted_at !== null) throw new AppError('record.missing')
  if (row.role !== Role.user || (await findOrganisation(tx, row.id)) !== undefined) throw new AppError('organisations.convert')
  // Earnings are counted by the account that invited; they become balance by a transfer.
  if (row.aff_quota > 0) throw new AppError('organisations.earnings')
  const { username } = row
  const account = await findAccount(tx, row.id)
  // The name must be free before the person's account can take it.
  await updateUser(tx, { id: row.id, patch: { username: accountName(), display_name: name } })
  const user_id = await createUser(tx, {
    username,
    password_hash: account?.password_hash ?? '',
    display_name: row.display_name,
    role: Role.user,
    group: row.group,
    aff_code: createInviteCode(),
    shards: deps.env.SHARDS,
    now,
  })
  await movePerson(tx, { from: row.id, to: user_id })
  const by = { actor: { ...actor, id: user_id }, ip }
  await enterOrganisation(deps, tx, by, { id: row.id, name, owner: user_id, now })
  const project_id = await createProject(tx, { organisation_id: row.id, name: project, created_at: now })
  await moveAllTokens(tx, { user_id: row.id, project_id })
  await appendOutbox(tx, { subject: 'user', subject_id: row.id, now })
  await appendOutbox(tx, { subject: 'user', subject_id: user_id, now })
  return { id: row.id, user_id }
}
