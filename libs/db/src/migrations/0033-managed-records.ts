import { sql, type Kysely } from 'kysely'

/** Records that files of configuration manage, with their fields as they were applied last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table managed_records (
      kind text not null,
      name text not null,
      fields jsonb not null,
      secrets jsonb not null,
      owner text not null,
      applied_at bigint not null,
      applied_by text not null,
      primary key (kind, name)
    )`.execute(db)
}
