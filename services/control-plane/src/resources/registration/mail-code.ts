import { timingSafeEqual } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { Tx } from '@tollgate/db/connect'
import { returnCodeAttempt, takeCodeAttempt, useMailCode } from '@tollgate/db/queries/mail-codes'
import { codeSubject } from '@tollgate/mail/mail-codes'
import { nowSeconds, type Deps } from '../../deps.ts'

/** A code has 16 million values: five attempts, then a new one must be mailed, of which a mailbox gets ten an hour. */
const MAX_ATTEMPTS = 5
const purpose = 'verification'

type CodeDeps = Pick<Deps, 'db' | 'sealers' | 'now'>

/**
 * Checks the code that was mailed to an address; throws unless it is right. The returned step uses it up in the transaction of what it
 * allows, so that a refusal there leaves it valid, and of parallel calls one succeeds.
 */
export async function checkMailCode(deps: CodeDeps, address: string, code: string): Promise<(tx: Tx) => Promise<void>> {
  const now = nowSeconds(deps)
  const code_hash = deps.sealers.options.fingerprint(codeSubject(purpose, address, code))
  const stored = await takeCodeAttempt(deps.db, { purpose, address, now, max: MAX_ATTEMPTS })
  if (stored === undefined || !timingSafeEqual(Buffer.from(stored), Buffer.from(code_hash))) throw new AppError('register.code')
  await returnCodeAttempt(deps.db, { purpose, address })
  return async (tx) => {
    if (!(await useMailCode(tx, { purpose, address, now: nowSeconds(deps), code_hash }))) throw new AppError('register.code')
  }
}
