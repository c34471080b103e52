import { LogType, Role } from '@tollgate/contracts/enums'
import type { Language } from '@tollgate/contracts/texts/mails'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { appendAccountLog } from '@tollgate/db/queries/logs/account-log'
import { addInviteReward, findInviter, type Inviter } from '@tollgate/db/queries/wallet/invite-rewards'
import { createUser, hadAccount } from '@tollgate/db/queries/users/users'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { accountLogQuota } from '@tollgate/domain/display/account-log-text'
import type { QuotaStyle } from '@tollgate/domain/display/quota-text'
import { nowSeconds, type Deps } from '../../deps.ts'
import { claimBonus, type Identities } from './bonus-claims.ts'
import { createInviteCode } from '../setup/invite-code.ts'

type NewAccount = {
  readonly username: string
  readonly display_name: string
  /** Empty: the account has no password. */
  readonly password_hash: string
  /** A verified address. */
  readonly email?: string
  readonly language?: Language
  /** The identity at a provider that makes the account, by column; with it the address that the provider verified. */
  readonly identities?: Identities
  /** Invite code; an unknown one is ignored. */
  readonly aff?: string
}

type Made = Pick<NewAccount, 'username'> & { readonly id: number; readonly now: UnixSeconds; readonly style: QuotaStyle }

/**
 * An ordinary account with an invite code and its opening bonuses, each a wallet entry that is unique by the account, and paid once per
 * mailbox and identity. The account that invited it is rewarded; an invite counts even without a reward. The caller syncs the account to Redis after commit.
 */
export async function createAccount(deps: Deps, tx: Tx, account: NewAccount): Promise<number> {
  const { aff = '', identities = {}, ...rest } = account
  const now = nowSeconds(deps)
  // In this transaction: a second connection per call could use the pool up.
  const options = await deps.options.all(tx)
  const style = { display_in_currency: options.DisplayInCurrencyEnabled, quota_per_unit: options.QuotaPerUnit }
  const inviter = aff === '' ? undefined : await findInviter(tx, aff)
  const id = await createUser(tx, {
    ...rest,
    role: Role.user,
    group: 'default',
    aff_code: createInviteCode(),
    inviter_id: inviter?.id ?? 0,
    shards: deps.env.SHARDS,
    now,
  })
  const claimed = { ...identities, email: identities.email ?? account.email ?? '' }
  // A person who had the bonuses before gets the account without them.
  if (!(await claimBonus(deps, tx, claimed)) || (await hadAccount(tx, claimed))) return id
  const made = { id, username: account.username, now, style }
  await addBonus(tx, made, { kind: 'sign-up', amount: options.QuotaForNewUser, text: '新用户注册赠送' })
  if (inviter === undefined) return id
  await addBonus(tx, made, { kind: 'invitee', amount: options.QuotaForInvitee, text: '使用邀请码赠送' })
  await rewardInviter(tx, made, { inviter, amount: options.QuotaForInviter })
  return id
}

type Bonus = { readonly kind: 'sign-up' | 'invitee'; readonly amount: Quota; readonly text: string }

async function addBonus(tx: Tx, { id, username, now, style }: Made, { kind, amount, text }: Bonus): Promise<void> {
  if (amount <= 0) return
  await creditWallet(tx, { user_id: id, kind, amount, reference: `user-${id}`, actor: 0, now })
  const content = `${text} ${accountLogQuota(amount, style)}`
  await appendAccountLog(tx, { type: LogType.system, user_id: id, username, content, now })
}

/** Pending earnings become balance by a transfer, whose wallet entry is of kind `transfer`. */
async function rewardInviter(
  tx: Tx,
  { id, now, style }: Made,
  { inviter, amount }: { readonly inviter: Inviter; readonly amount: Quota },
): Promise<void> {
  if (amount > 0) {
    const content = `邀请用户赠送 ${accountLogQuota(amount, style)}`
    await appendAccountLog(tx, { type: LogType.system, user_id: inviter.id, username: inviter.username, content, now })
  }
  await addInviteReward(tx, { inviter_id: inviter.id, invitee_id: id, amount, now })
}
