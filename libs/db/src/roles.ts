import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** `owner` owns the schema: migrations, and the worker, which creates partitions. `rows` reads and writes rows: the control plane. */
export const ROLES = { owner: 'tollgate_owner', rows: 'tollgate_rows' } as const

const LIMITS = sql.raw('login nosuperuser nocreatedb nocreaterole noreplication nobypassrls')

/** Creates the roles of the services in this database, or sets their passwords again. Needs a superuser; safe to repeat. */
export async function createRoles(db: Db, passwordOf: (role: string) => string): Promise<void> {
  for (const role of Object.values(ROLES)) {
    const { rows } = await sql`select from pg_roles where rolname = ${role}`.execute(db)
    const verb = sql.raw(rows.length === 0 ? 'create' : 'alter')
    await sql`${verb} role ${sql.id(role)} with ${LIMITS} password ${sql.lit(passwordOf(role))}`.execute(db)
  }
  const [owner, rows] = [sql.id(ROLES.owner), sql.id(ROLES.rows)]
  await sql`grant usage, create on schema public to ${owner}`.execute(db)
  await sql`grant usage on schema public to ${rows}`.execute(db)
  const inSchema = sql`alter default privileges for role ${owner} in schema public`
  await sql`${inSchema} grant select, insert, update, delete on tables to ${rows}`.execute(db)
  await sql`${inSchema} grant usage, select on sequences to ${rows}`.execute(db)
}

/** True if this connection may do anything in the whole cluster. */
export async function isSuperuser(db: Db): Promise<boolean> {
  const { rows } = await sql<{ rolsuper: boolean }>`select rolsuper from pg_roles where rolname = current_user`.execute(db)
  return rows[0]?.rolsuper === true
}
