import { AppError } from '@tollgate/contracts/app-error'
import type { Provider } from '@tollgate/contracts/resources/oauth'
import type { Tx } from '@tollgate/db/connect'
import { lockSignInMethods, type SignInMethods } from '@tollgate/db/queries/users/bindings'
import { listPasskeys } from '@tollgate/db/queries/users/passkeys'
import { updateUser, type UserPatch } from '@tollgate/db/queries/users/users'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { recordAudit, type By } from '../../audit.ts'
import { tellOwner } from '../../account-mails.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { claimBonus, type Identities } from '../users/bonus-claims.ts'
import { editUser } from '../users/change-user.ts'
import { providers } from './providers/providers.ts'

/** Binds an identity to the caller's account. Of two accounts that bind one identity at once, the unique index lets one win. */
export async function bindIdentity(deps: Deps, by: By, { provider, id }: { provider: Provider; id: string }): Promise<void> {
  const { column, index, bound } = providers[provider]
  try {
    await editUser(deps, by.actor.id, { patchOf: () => ({ [column]: id }), also: (tx) => remember(deps, tx, { [column]: id }) }, by)
  } catch (error) {
    throw isUniqueViolation(error, index) ? new AppError(bound, {}, { cause: error }) : error
  }
}

/** An identity that an account has counts as having had its bonus. */
async function remember(deps: Deps, tx: Tx, identities: Identities): Promise<[]> {
  await claimBonus(deps, tx, identities)
  return []
}

/** Removes a binding. The last way to sign in stays. */
export async function unbind(deps: Deps, by: By, provider: Provider | 'email'): Promise<undefined> {
  const options = await deps.options.all()
  const { id } = by.actor
  await deps.db.transaction().execute(async (tx) => {
    const before = await lockSignInMethods(tx, id)
    if (before === undefined) throw new AppError('record.missing')
    const column = provider === 'email' ? 'email' : providers[provider].column
    if (before[column] === '') return
    const patch: UserPatch = { [column]: '' }
    await claimBonus(deps, tx, before)
    const hasPasskey = (await listPasskeys(tx, id)).length > 0
    if (!hasSignInMethod({ ...before, ...patch, hasPasskey }, options)) throw new AppError('oauth.last-way')
    const changes = [{ field: column, before: before[column], after: '' }]
    await recordAudit(deps, tx, by, [{ action: 'update', resource: 'user', resource_id: id, changes }])
    await updateUser(tx, { id, patch })
    if (provider === 'email') await tellOwner(tx, { ...before, id }, 'email-changed', nowSeconds(deps))
  })
  return undefined
}

/** True if an account can still be signed in to: by passkey, by password, or by an identity whose provider is on. */
export function hasSignInMethod(ways: SignInMethods & { readonly hasPasskey: boolean }, options: OptionValues): boolean {
  if (ways.hasPasskey) return true
  if (ways.password_hash !== '' && options.PasswordLoginEnabled) return true
  return Object.values(providers).some(({ column, isOn }) => ways[column] !== '' && options[isOn])
}
