import { sql, type Kysely } from 'kysely'

/** Several codes of one address are valid at a time. `mail_codes` holds one, and is read by the version before only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mailed_codes (
      purpose text not null check (purpose in ('verification', 'reset', 'notification')),
      address text not null,
      code_hash text not null,
      expires_at bigint not null,
      primary key (purpose, address, code_hash)
    )`.execute(db)
}
