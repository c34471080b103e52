import { AppError } from '@tollgate/contracts/app-error'
import type { Language } from '@tollgate/contracts/texts/mails'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { RegisterBody } from '@tollgate/contracts/resources/registration'
import type { Tx } from '@tollgate/db/connect'
import { createToken, createTokenGrant, addGranted } from '@tollgate/db/queries/tokens/tokens'
import { isUsernameTaken } from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Requester } from '../../mailbox-limits.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { createKey } from '../tokens/key.ts'
import { checkPassword, checkUsername } from '../users/policy.ts'
import { checkAddress } from './address.ts'
import { createAccount } from '../users/create-account.ts'
import { requireSignUp } from './sign-up-rules.ts'
import { checkMailCode } from './mail-code.ts'

/** Registers an account with a password; does not sign in. */
export async function register(deps: Deps, requester: Requester, language: Language, body: RegisterBody): Promise<void> {
  const options = await deps.options.all()
  requireSignUp(options)
  if (!options.PasswordRegisterEnabled) throw new AppError('register.password-off')
  if (body.username.trim() === '' || body.password === '') throw new AppError('params.invalid')
  const username = checkUsername(body.username)
  checkPassword(body.password)
  const proved = await proveAddress(deps, requester, options, body)
  if (await isUsernameTaken(deps.db, { username, except: 0 })) throw new AppError('user.name-taken')
  const password_hash = await hashPassword(body.password)
  try {
    await deps.db.transaction().execute(async (tx) => {
      await proved?.useUp(tx)
      const email = proved?.address ?? ''
      const id = await createAccount(deps, tx, {
        username,
        display_name: username,
        password_hash,
        language,
        email,
        aff: body.aff_code ?? '',
      })
      if (deps.env.GENERATE_DEFAULT_TOKEN) {
        await createFirstToken(deps, tx, { id, username }).catch((cause: unknown) => {
          throw new AppError('register.token-save', {}, { cause })
        })
      }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) throw new AppError('email.taken', {}, { cause: error })
    const isTaken = isUniqueViolation(error, 'users_username_key') || isUniqueViolation(error, 'users_username_folded')
    throw isTaken ? new AppError('user.name-taken', {}, { cause: error }) : error
  }
}

type Proved = { readonly address: string; readonly useUp: (tx: Tx) => Promise<void> }

/** Without e-mail verification an account has no address: nothing would prove it. */
async function proveAddress(deps: Deps, requester: Requester, options: OptionValues, body: RegisterBody): Promise<Proved | undefined> {
  if (!options.EmailVerificationEnabled) return undefined
  const [email = '', code = ''] = [body.email?.trim(), body.verification_code?.trim()]
  if (email === '' || code === '') throw new AppError('register.needs-email')
  const address = checkAddress(email, options)
  return { address, useUp: await checkMailCode(deps, requester, { purpose: 'verification', address, code }) }
}

const FIRST_QUOTA = 500_000

async function createFirstToken(deps: Deps, tx: Tx, { id: user_id, username }: { id: number; username: string }): Promise<void> {
  const now = nowSeconds(deps)
  const token_id = await createToken(tx, {
    name: `${username}的初始令牌`,
    expired_time: -1,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
    limits: null,
    ...createKey(deps.sealers.options),
    user_id,
    created_time: now,
  })
  await createTokenGrant(tx, { token_id, kind: 'create', amount: FIRST_QUOTA, reference: `token:${token_id}`, actor_id: user_id, now })
  await addGranted(tx, { token_id, amount: FIRST_QUOTA })
}
