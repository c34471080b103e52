import { sql, type Kysely } from 'kysely'

/** Keyed hashes of mailboxes and identities that had a bonus, or an account that could have had one. They outlive the account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table bonus_claims (claim text primary key, created_at bigint not null)`.execute(db)
  await sql`create index users_email_deleted on users (lower(email)) where email <> '' and deleted_at is not null`.execute(db)
}
