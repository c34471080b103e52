import { sql, type Kysely } from 'kysely'

/** Tokens whose receipts have hashes of request and answer. Null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column receipt_hashes boolean`.execute(db)
}
