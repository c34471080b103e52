import { sql, type Kysely } from 'kysely'

/** Budgets that a member set for the organisation. Null: the operator did, so members cannot change them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table budgets add column is_by_member boolean`.execute(db)
}
