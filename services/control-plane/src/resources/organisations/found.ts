import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import { MAX_OWNED } from '@tollgate/contracts/resources/organisations'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { addMember, countOwned, createOrganisation } from '@tollgate/db/queries/users/organisations'
import { createUser, lockUser } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import type { Actor } from '@tollgate/http/actor'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { createInviteCode, randomLetters } from '../setup/invite-code.ts'
import { checkOrganisationName } from './names.ts'

/** True if the operator lets this person found organisations. */
export async function mayFound(deps: Deps, { role }: Pick<Actor, 'role'>): Promise<boolean> {
  const founders = await deps.options.get('OrganisationFounders')
  return founders === 'all' || (founders === 'admins' && role >= Role.admin)
}

/** Founds an organisation with an empty wallet, whose owner the caller is. */
export async function foundOrganisation(deps: Deps, by: By & { readonly actor: Actor }, wanted: string): Promise<{ id: number }> {
  const name = checkOrganisationName(wanted)
  if (!(await mayFound(deps, by.actor))) throw new AppError('organisations.off')
  const id = await deps.db.transaction().execute(async (tx) => {
    // The founder's row is locked, so that parallel calls are counted.
    await lockUser(tx, by.actor.id)
    if ((await countOwned(tx, by.actor.id)) >= MAX_OWNED) throw new AppError('organisations.owned', { count: MAX_OWNED })
    return await createOrganisationAccount(deps, tx, by, { name, group: 'default', owner: by.actor.id })
  })
  await syncChanged(deps, [{ subject: 'user', id }])
  return { id }
}

type Founded = { readonly name: string; readonly group: string; readonly owner: number }

/** Makes an organisation with an empty wallet; the caller syncs its account after the commit. */
export async function createOrganisationAccount(
  deps: Pick<Deps, 'env' | 'now'>,
  tx: Tx,
  by: By,
  { name, group, owner }: Founded,
): Promise<number> {
  const now = nowSeconds(deps)
  const id = await createUser(tx, {
    username: accountName(),
    password_hash: '',
    display_name: name,
    role: Role.user,
    group,
    aff_code: createInviteCode(),
    shards: deps.env.SHARDS,
    now,
  })
  await enterOrganisation(deps, tx, by, { id, name, owner, now })
  await appendOutbox(tx, { subject: 'user', subject_id: id, now })
  return id
}

type Entered = { readonly id: number; readonly name: string; readonly owner: number; readonly now: UnixSeconds }

/** Makes an account an organisation's, with its first member. */
export async function enterOrganisation(deps: Pick<Deps, 'now'>, tx: Tx, by: By, { id, name, owner, now }: Entered): Promise<void> {
  await createOrganisation(tx, { id, name, created_by: owner, created_at: now })
  await addMember(tx, { organisation_id: id, user_id: owner, role: 'owner', joined_at: now })
  await recordAudit(deps, tx, by, [
    { action: 'create', resource: 'organisation', resource_id: id, changes: [{ field: 'name', after: name }] },
  ])
}

const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'

/** The user name of an organisation's account, which lists of users and logs show. It cannot be used to sign in. */
export function accountName(): string {
  return `org-${randomLetters(LETTERS)}`
}
