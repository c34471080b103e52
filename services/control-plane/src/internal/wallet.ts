import type { WalletEntryKind } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { appendOutbox } from '@tollgate/db/queries/outbox'
import { addCredited, createWalletEntry } from '@tollgate/db/queries/wallet'

export type Credit = {
  readonly user_id: number
  readonly kind: WalletEntryKind
  /** Negative amounts are debited. */
  readonly amount: Quota
  /** Unique with `kind`: a reference is booked once, however often it is sent. */
  readonly reference: string
  /** Id of the acting user; 0: the system. */
  readonly actor: number
  readonly note?: string
  readonly now: UnixSeconds
}

/**
 * Books money that does not come from a request (docs/ledger.md), in the transaction of its cause. Call `ledgerSync.userChanged` after
 * commit, or leave it to the outbox. `known`: this reference was booked before and nothing changed.
 */
export async function creditWallet(tx: Tx, credit: Credit): Promise<'booked' | 'known'> {
  const { user_id, kind, amount, reference, actor, note = '', now } = credit
  const entry = await createWalletEntry(tx, { user_id, kind, amount, reference, actor_id: actor, note, now })
  if (entry === undefined) return 'known'
  if (!(await addCredited(tx, { user_id, amount }))) throw new Error(`wallet entry for user ${user_id}, who does not exist`)
  await appendOutbox(tx, { subject: 'user', subject_id: user_id, now })
  return 'booked'
}
