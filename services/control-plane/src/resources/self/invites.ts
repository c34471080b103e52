import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { Quota } from '@tollgate/contracts/units'
import { ensureInviteCode, takeInviteQuota } from '@tollgate/db/queries/users/invites'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { accountLogQuota } from '@tollgate/domain/display/account-log-text'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { createInviteCode } from '../setup/invite-code.ts'
import { quotaStyle } from '../users/quota-style.ts'

const TRIES = 3

/** The caller's invite code; accounts without one get it now. */
export async function getOwnInviteCode(deps: Deps, { id }: Actor): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ensureInviteCode(deps.db, { id, code: createInviteCode() })
    } catch (error) {
      if (!isUniqueViolation(error, 'users_aff_code_key') || tries === TRIES) throw error
    }
  }
}

/** Moves invite earnings to the balance, at least one currency unit. */
export async function transferInviteQuota(deps: Deps, { id }: Actor, amount: Quota): Promise<void> {
  const style = await quotaStyle(deps)
  if (amount < style.quota_per_unit) throw new AppError('self.transfer-least', { quota: accountLogQuota(style.quota_per_unit, style) })
  await deps.db.transaction().execute(async (tx) => {
    if (!(await takeInviteQuota(tx, { id, amount }))) throw new AppError('self.transfer-short')
    await creditWallet(tx, {
      user_id: id,
      kind: 'transfer',
      amount,
      reference: `user:${id}:${randomUUID()}`,
      actor: id,
      now: nowSeconds(deps),
    })
  })
  await syncChanged(deps, [{ subject: 'user', id }])
}
