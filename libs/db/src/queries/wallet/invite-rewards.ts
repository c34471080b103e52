import { UserStatus } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'

export type Inviter = { readonly id: number; readonly username: string }

/** The account of an invite code, unless it was banned or deleted. */
export function findInviter(tx: Tx, code: string): Promise<Inviter | undefined> {
  return tx
    .selectFrom('users')
    .select(['id', 'username'])
    .where('aff_code', '=', code)
    .where('status', '=', UserStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

type Reward = { readonly inviter_id: number; readonly invitee_id: number; readonly amount: Quota; readonly now: UnixSeconds }

/**
 * Counts an invite and adds its reward to the inviter's pending earnings. It locks the inviter's row, on which all invites of one code wait:
 * call it last in the transaction.
 */
export async function addInviteReward(tx: Tx, { inviter_id, invitee_id, amount, now }: Reward): Promise<void> {
  await tx.insertInto('invite_rewards').values({ invitee_id, inviter_id, amount, created_at: now }).execute()
  await tx
    .updateTable('users')
    .set((eb) => ({
      aff_count: eb('aff_count', '+', 1),
      aff_quota: eb('aff_quota', '+', amount),
      aff_history: eb('aff_history', '+', amount),
    }))
    .where('id', '=', inviter_id)
    .execute()
}
