import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'

/** Until the transaction ends, nothing else is added to what the user stores. */
export async function lockStored(tx: Tx, user_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('stored bytes', ${user_id}))`.execute(tx)
}

export type Stored = {
  readonly files: number
  readonly responses: number
  /** Background responses that have not ended. */
  readonly open: number
  readonly bytes: number
}

/** Files and background responses of a user, uploads that are not complete included. */
export async function sumStored(db: Db | Tx, user_id: number): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select files, responses, open, file_bytes + response_bytes as bytes
    from (select count(*) as files, coalesce(sum(bytes), 0)::bigint as file_bytes from files where user_id = ${user_id}) f,
      (select count(*) as responses, count(*) filter (where state <> 'ended') as open, coalesce(sum(bytes), 0)::bigint as response_bytes
        from deferred_requests where user_id = ${user_id} and batch_id = '') r`.execute(db)
  return rows[0] ?? { files: 0, responses: 0, open: 0, bytes: 0 }
}

/** Bytes of all files and background responses. */
export async function sumAllStored(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(bytes), 0) from files)::bigint
      + (select coalesce(sum(bytes), 0) from deferred_requests where batch_id = '')::bigint as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Interval of the exact sum, which finds additions of an earlier version and deletions. */
const SUM_AGAIN_S = 600

type Addition = { readonly bytes: number; readonly limit: number; /** Unix seconds. */ readonly now: number }

/**
 * Counts bytes that are about to be stored, unless all users would store more than the limit; false: they would. Additions wait for each
 * other until their transactions end, so it comes last in one.
 */
export async function addStored(tx: Tx, { bytes, limit, now }: Addition): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_total')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .where((eb) => eb(eb('bytes', '+', bytes), '<=', limit))
    .where('summed_at', '>', now - SUM_AGAIN_S)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  await tx.selectFrom('stored_total').select('bytes').forUpdate().execute()
  const sum = await sumAllStored(tx)
  const isWithin = sum + bytes <= limit
  await tx
    .updateTable('stored_total')
    .set({ bytes: isWithin ? sum + bytes : sum, summed_at: now })
    .execute()
  return isWithin
}

/** Counts bytes that are stored in any case: results. */
export async function growStored(tx: Tx, bytes: number): Promise<void> {
  if (bytes === 0) return
  await tx
    .updateTable('stored_total')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .execute()
}

type Payer = { readonly role: number; readonly has_paid: boolean }

/** Role of an account, and true if it has a balance or has paid for a request; undefined: there is none. */
export async function findUploader(db: Db, user_id: number): Promise<Payer | undefined> {
  const row = await db.selectFrom('users').select(['role', 'credited', 'spent']).where('id', '=', user_id).executeTakeFirst()
  return row === undefined ? undefined : { role: row.role, has_paid: row.spent > 0 || row.credited > row.spent }
}
