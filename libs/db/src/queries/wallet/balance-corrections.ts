import { sql } from 'kysely'
import type { Quota } from '@tollgate/contracts/units'
import { toArray } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { windowsOfToken, windowsOfWallet, type LoadedWindow } from '../tokens/budgets.ts'

export type CorrectionSubject = 'user' | 'token'

/** An account whose sum in Redis must be set to the posted sum. */
export type BalanceCorrection = {
  readonly shard: number
  readonly subject: CorrectionSubject
  readonly subject_id: number
  /** `spent` of the user or `charged` of the token. */
  readonly posted: Quota
  /** Counters of its budgets in Postgres. */
  readonly budgets: readonly LoadedWindow[]
}

/** Records accounts whose events were dropped or corrected, in the transaction that did so; `n` is the last event it posted. */
export async function addBalanceCorrections(
  tx: Tx,
  { shard, n, accounts }: { shard: number; n: number; accounts: readonly { subject: CorrectionSubject; subject_id: number }[] },
): Promise<void> {
  if (accounts.length === 0) return
  await tx
    .insertInto('balance_corrections')
    .values(accounts.map((account) => ({ shard, n, ...account })))
    .onConflict((conflict) => conflict.columns(['shard', 'subject', 'subject_id']).doUpdateSet({ n }))
    .execute()
}

/** Pending corrections of shards with the posted sums. Read under the locks of their cursors, so that the sums belong to their last_n. */
export async function listBalanceCorrections(tx: Tx, shards: readonly number[], limit: number): Promise<BalanceCorrection[]> {
  const { rows } = await sql<Omit<BalanceCorrection, 'budgets'> & { readonly budgets: LoadedWindow[] | null }>`
    select r.shard, r.subject, r.subject_id, coalesce(u.spent, t.charged) as posted,
      case when r.subject = 'user' then ${windowsOfWallet()} else ${windowsOfToken()} end as budgets
    from balance_corrections r
    left join users u on r.subject = 'user' and u.id = r.subject_id
    left join tokens t on r.subject = 'token' and t.id = r.subject_id
    where r.shard = any(${toArray(shards, 'int')}) and coalesce(u.spent, t.charged) is not null
    order by r.shard, r.subject, r.subject_id limit ${limit}`.execute(tx)
  return rows.map((row) => ({ ...row, budgets: row.budgets ?? [] }))
}

/** Deletes corrections that Redis has applied. A row that a later posting recorded meanwhile has a greater `n` and stays. */
export async function removeBalanceCorrections(
  db: Db | Tx,
  { shard, n, accounts }: { shard: number; n: number; accounts: readonly { subject: CorrectionSubject; subject_id: number }[] },
): Promise<void> {
  for (const { subject, subject_id } of accounts) {
    await db
      .deleteFrom('balance_corrections')
      .where('shard', '=', shard)
      .where('subject', '=', subject)
      .where('subject_id', '=', subject_id)
      .where('n', '<=', n)
      .execute()
  }
}
