import { AppError } from '@tollgate/contracts/app-error'
import { Role, UserStatus } from '@tollgate/contracts/enums'
import type { Language } from '@tollgate/contracts/texts/mails'
import type { Provider } from '@tollgate/contracts/resources/oauth'
import { findAccountByBinding, getNextUserId, isEmailTaken } from '@tollgate/db/queries/users/bindings'
import { findUnclaimedAccount } from '@tollgate/db/queries/users/scim'
import { findAccount, findUser, isUsernameTaken, updateUser, type AccountRow, type UserRow } from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import type { Deps } from '../../deps.ts'
import { checkAddress } from '../registration/address.ts'
import { requireSignUp } from '../registration/sign-up-rules.ts'
import { editUser } from '../users/change-user.ts'
import { createAccount } from '../users/create-account.ts'
import { hasInvisible, withoutConfusing } from '../users/policy.ts'
import type { FoundIdentity } from './providers/provider.ts'
import { providers } from './providers/providers.ts'

type Wanted = {
  readonly provider: Provider
  readonly identity: FoundIdentity
  readonly aff: string
  readonly language: Language
  readonly ip: string
}
type NewAccount = AccountRow & { readonly display_name: string }

const MAX_USERNAME = 12
const MAX_DISPLAY_NAME = 20
const ATTEMPTS = 5

/**
 * Makes an account for a person who signs in with a provider for the first time. An address that an account has is never taken over: its
 * owner signs in and binds the provider.
 */
export async function signUpBy(deps: Deps, wanted: Wanted): Promise<NewAccount> {
  const options = await deps.options.all()
  const email = await wanted.identity.verifiedEmail()
  const claimed = await claimAccount(deps, wanted, email)
  if (claimed !== undefined) return claimed
  requireSignUp(options)
  if (email !== '') checkAddress(email, options)
  else if (options.EmailDomainRestrictionEnabled && STATES_ADDRESSES.has(wanted.provider)) throw new AppError('email.domain')
  if (email !== '' && (await isEmailTaken(deps.db, email))) throw new AppError('oauth.email-taken')
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const account = await tryToCreate(deps, wanted, { email, username: await toUsername(deps, wanted, attempt) })
    if (account !== undefined) return account
  }
  throw new AppError('register.database')
}

/**
 * The account that an organisation's identity provider had made for this address, bound to the person who proves to have it. Accounts with
 * another way to sign in are not taken.
 */
async function claimAccount(deps: Deps, { provider, identity, ip }: Wanted, email: string): Promise<NewAccount | undefined> {
  const id = email === '' ? undefined : await findUnclaimedAccount(deps.db, email)
  const account = id === undefined ? undefined : await findAccount(deps.db, id)
  if (id === undefined || account === undefined) return undefined
  const { column } = providers[provider]
  const patchOf = (row: UserRow) => {
    if (Object.values(providers).some((one) => row[one.column] !== '')) throw new AppError('oauth.email-taken')
    return { [column]: identity.id }
  }
  await editUser(deps, id, { patchOf }, { actor: account, ip })
  return { ...account, display_name: (await findUser(deps.db, id))?.display_name ?? '' }
}

/** Where a person without a verified address could have shown one. */
const STATES_ADDRESSES: ReadonlySet<Provider> = new Set(['github', 'oidc'])

/** Undefined when another sign-up took the name meanwhile; the account of a parallel sign-up by the same person. */
async function tryToCreate(deps: Deps, wanted: Wanted, { username, email }: { username: string; email: string }) {
  const { identity, provider } = wanted
  const { column, index } = providers[provider]
  const display_name = [...withoutConfusing(identity.display_name).replaceAll(/\s+/g, ' ').trim()].slice(0, MAX_DISPLAY_NAME).join('')
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const identities = { [column]: identity.id, email }
      const { language, aff } = wanted
      const id = await createAccount(deps, tx, { username, display_name, password_hash: '', language, aff, identities })
      await updateUser(tx, { id, patch: { [column]: identity.id, ...(email === '' ? {} : { email }) } })
      return { id, username, display_name, password_hash: '', role: Role.user, status: UserStatus.enabled, group: 'default' }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) throw new AppError('oauth.email-taken', {}, { cause: error })
    if (isUniqueViolation(error, 'users_username_key') || isUniqueViolation(error, 'users_username_folded')) return undefined
    const other = isUniqueViolation(error, index) ? await findAccountByBinding(deps.db, column, identity.id) : undefined
    if (other === undefined) throw error
    return other
  }
}

/** The name that the person has at the provider, if it is valid and free here; else the provider's name with a number. */
async function toUsername(deps: Deps, { provider, identity }: Wanted, attempt: number): Promise<string> {
  const { username } = identity
  const isValid = username !== '' && [...username].length <= MAX_USERNAME && !hasInvisible(username) && !username.includes('@')
  if (attempt === 0 && isValid && !(await isUsernameTaken(deps.db, { username, except: 0 }))) return username
  return `${provider}_${(await getNextUserId(deps.db)) + attempt}`
}
