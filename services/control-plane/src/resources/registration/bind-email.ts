import { AppError } from '@tollgate/contracts/app-error'
import { findUser, updateUser } from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { tellOwner } from '../../account-mails.ts'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Requester } from '../../mailbox-limits.ts'
import { claimBonus } from '../users/bonus-claims.ts'
import { checkAddress } from './address.ts'
import { checkMailCode } from './mail-code.ts'

/** Sets the caller's address, which the mailed code proves; the code is used up with the change. */
export async function bindEmail(deps: Deps, by: By & Requester, { email, code }: { email: string; code: string }): Promise<void> {
  const address = checkAddress(email, await deps.options.all())
  if (code.trim() === '') throw new AppError('register.code')
  const useUp = await checkMailCode(deps, by, { purpose: 'verification', address, code })
  const { id } = by.actor
  try {
    await deps.db.transaction().execute(async (tx) => {
      await useUp(tx)
      const before = await findUser(tx, id)
      if (before === undefined) throw new AppError('record.missing')
      const changes = changedFields(before, { email: address })
      await recordAudit(deps, tx, by, [{ action: 'update', resource: 'user', resource_id: id, changes }])
      await updateUser(tx, { id, patch: { email: address } })
      if (before.email !== address) await tellOwner(tx, before, 'email-changed', nowSeconds(deps))
      await claimBonus(deps, tx, { email: address })
      await claimBonus(deps, tx, { email: before.email })
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_email') ? new AppError('email.taken', {}, { cause: error }) : error
  }
}
