import type { MigrateEnv } from '@tollgate/config/env'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { createRoles, ROLES } from '@tollgate/db/roles'

/** Creates the roles if a superuser is given, migrates the schema as its owner, and returns the names of the migrations that ran. */
export async function runMigrations(env: MigrateEnv): Promise<string[]> {
  if (env.ADMIN_DATABASE_URL !== '') await createRolesOf(env)
  const db = connectDb({ url: env.MIGRATE_DATABASE_URL || env.DATABASE_URL, max: 1, name: 'tollgate-migrate' })
  try {
    return await migrate(db)
  } finally {
    await db.destroy()
  }
}

async function createRolesOf(env: MigrateEnv): Promise<void> {
  const ownerPassword = passwordOf(env.DATABASE_URL, 'DATABASE_URL', ROLES.owner)
  const rowsPassword = passwordOf(env.ROWS_DATABASE_URL, 'ROWS_DATABASE_URL', ROLES.rows)
  const admin = connectDb({ url: env.ADMIN_DATABASE_URL, max: 1, name: 'tollgate-migrate' })
  try {
    await createRoles(admin, (role) => (role === ROLES.owner ? ownerPassword : rowsPassword))
  } finally {
    await admin.destroy()
  }
}

/** The password in an address, whose user must be the role that it is for. Errors name the variable and never its value. */
function passwordOf(address: string, variable: string, role: string): string {
  const url = URL.parse(address)
  if (url === null || url.username !== role || url.password === '')
    throw new Error(`${variable}: with ADMIN_DATABASE_URL this must be postgres://${role}:password@host:5432/database`)
  return decodeURIComponent(url.password)
}
