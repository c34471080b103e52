import { AppError } from '@tollgate/contracts/app-error'
import type { Tx } from '@tollgate/db/connect'
import { isMailCodeValid, useMailCode, type CodePurpose } from '@tollgate/db/queries/users/mail-codes'
import { codeSubject } from '@tollgate/mail/mail-codes'
import { nowSeconds, type Deps } from '../../deps.ts'
import { allowCodeTry, type Requester } from '../../mailbox-limits.ts'

type CodeDeps = Pick<Deps, 'db' | 'sealers' | 'now' | 'redis'>
type Given = { readonly purpose: Exclude<CodePurpose, 'reset'>; readonly address: string; readonly code: string }

/**
 * Checks the code that was mailed to an address; throws unless it is right. The returned step uses it up in the transaction of what it
 * allows, so that a refusal there leaves it valid, and of parallel calls one succeeds.
 */
export async function checkMailCode(
  deps: CodeDeps,
  requester: Requester,
  { purpose, address, code }: Given,
): Promise<(tx: Tx) => Promise<void>> {
  const code_hash = deps.sealers.options.fingerprint(codeSubject(purpose, address, code))
  const forgetTries = await allowCodeTry(deps, requester, { purpose, address })
  if (!(await isMailCodeValid(deps.db, { purpose, address, code_hash, now: nowSeconds(deps) }))) throw new AppError('register.code')
  await forgetTries()
  return async (tx) => {
    if (!(await useMailCode(tx, { purpose, address, now: nowSeconds(deps), code_hash }))) throw new AppError('register.code')
  }
}
