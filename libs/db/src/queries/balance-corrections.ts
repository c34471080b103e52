import { sql } from 'kysely'
import type { Quota } from '@tollgate/contracts/units'
import type { Db, Tx } from '../connect.ts'

export type CorrectionSubject = 'user' | 'token'

/** An account whose sum in Redis is to become what was posted. */
export type BalanceCorrection = {
  readonly subject: CorrectionSubject
  readonly subject_id: number
  /** spent of the user, charged of the token. */
  readonly posted: Quota
}

/** Notes accounts whose events were dropped or corrected, in the transaction that did so; `n` is what it posted up to. */
export async function noteRestatements(
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

/** Accounts of a shard that wait, with their sums as posted; read under the shard's cursor, so that they belong to its last_n. */
export async function listRestatements(tx: Tx, shard: number, limit: number): Promise<BalanceCorrection[]> {
  const { rows } = await sql<BalanceCorrection>`
    select r.subject, r.subject_id, coalesce(u.spent, t.charged) as posted
    from balance_corrections r
    left join users u on r.subject = 'user' and u.id = r.subject_id
    left join tokens t on r.subject = 'token' and t.id = r.subject_id
    where r.shard = ${shard} and coalesce(u.spent, t.charged) is not null
    order by r.subject, r.subject_id limit ${limit}`.execute(tx)
  return rows
}

/** Forgets what Redis has heard of; a row noted meanwhile by a later posting has a greater n and stays. */
export async function removeRestatements(
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
