import { randomInt } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { isMailCodeValid, useMailCode } from '@tollgate/db/queries/users/mail-codes'
import { findAccountByEmail, updateUser } from '@tollgate/db/queries/users/users'
import { parseAddress } from '@tollgate/mail/addresses'
import { codeSubject } from '@tollgate/mail/mail-codes'
import { tellOwner } from '../../account-mails.ts'
import { recordAudit } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { endAllSessions } from '../../authentication/cookie-sessions.ts'

/** Without characters that look alike. */
const LETTERS = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 12
const purpose = 'reset'

/**
 * Sets a random password and returns it. The link is used up with the change: of parallel calls one wins. All sessions and the system access
 * token end. The token has 128 bits, so attempts at it are limited per client address only; a limit per account would let strangers use up
 * a link.
 */
export async function resetPassword(deps: Deps, ip: string, body: { email: string; token: string }): Promise<string> {
  if (body.email.trim() === '' || body.token.trim() === '') throw new AppError('params.invalid')
  const address = parseAddress(body.email)
  if (address === undefined) throw new AppError('password.link')
  const link = {
    purpose,
    address,
    now: nowSeconds(deps),
    code_hash: deps.sealers.options.fingerprint(codeSubject(purpose, address, body.token)),
  } as const
  // Before the costly hash: wrong links must not cost more than a look.
  if (!(await isMailCodeValid(deps.db, link))) throw new AppError('password.link')
  const password = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  const password_hash = await hashPassword(password)
  const id = await deps.db.transaction().execute(async (tx) => {
    const account = await findAccountByEmail(tx, address)
    if (account === undefined || !(await useMailCode(tx, link))) throw new AppError('password.link')
    const entry = { action: 'update', resource: 'user', resource_id: account.id, changes: [{ field: 'password' }] } as const
    await recordAudit(deps, tx, { actor: account, ip }, [entry])
    await updateUser(tx, { id: account.id, patch: { password_hash } })
    await tellOwner(tx, { ...account, email: address }, 'password-changed', nowSeconds(deps))
    return account.id
  })
  await endAllSessions(deps, id)
  return password
}
