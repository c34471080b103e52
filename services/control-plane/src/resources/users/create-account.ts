import { LogType, Role } from '@tollgate/contracts/enums'
import type { Tx } from '@tollgate/db/connect'
import { appendAccountLog } from '@tollgate/db/queries/account-log'
import { createUser } from '@tollgate/db/queries/users'
import { creditWallet } from '@tollgate/db/queries/wallet'
import { accountLogQuota } from '@tollgate/domain/display/account-log-text'
import { nowSeconds, type Deps } from '../../deps.ts'
import { createInviteCode } from '../setup/invite-code.ts'
import { quotaStyle } from './quota-style.ts'

type NewAccount = { readonly username: string; readonly password_hash: string; readonly display_name: string }

/** An ordinary account with an invite code and the balance that new users get. The caller syncs it to Redis after commit. */
export async function createAccount(deps: Deps, tx: Tx, account: NewAccount): Promise<number> {
  const now = nowSeconds(deps)
  const [amount, style] = [await deps.options.get('QuotaForNewUser', tx), await quotaStyle(deps)]
  const id = await createUser(tx, {
    ...account,
    role: Role.user,
    group: 'default',
    aff_code: createInviteCode(),
    shards: deps.env.SHARDS,
    now,
  })
  if (amount > 0) {
    await creditWallet(tx, { user_id: id, kind: 'sign-up', amount, reference: `user-${id}`, actor: 0, now })
    const content = `新用户注册赠送 ${accountLogQuota(amount, style)}`
    await appendAccountLog(tx, { type: LogType.system, user_id: id, username: account.username, content, now })
  }
  return id
}
