import { sql, type Kysely } from 'kysely'

/** Pages and searches of tokens walk over what this index holds, not over rows. Posting changes none of its columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index tokens_page on tokens (user_id, id desc) include (name, key_head, key_tail) where deleted_at is null`.execute(db)
  await sql`drop index tokens_user`.execute(db)
}
