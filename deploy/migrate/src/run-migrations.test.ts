import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDb } from '@tollgate/db/connect'
import { migrationNames } from '@tollgate/db/migrate'
import { isSetUp } from '@tollgate/db/queries/installation/setup'
import { ROLES } from '@tollgate/db/roles'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { runMigrations } from './run-migrations.ts'

describe('the migration job', () => {
  const name = `t_migrate_${randomBytes(6).toString('hex')}`
  let test: TestDatabase
  const urlOf = (user?: string): string => {
    const url = new URL(test.url)
    url.pathname = `/${name}`
    if (user !== undefined) [url.username, url.password] = [user, `p@ss of ${user}`]
    return url.href
  }
  const envOf = (changes: object = {}) => ({
    LOG_LEVEL: 'info' as const,
    DATABASE_URL: urlOf(ROLES.owner),
    MIGRATE_DATABASE_URL: '',
    ROWS_DATABASE_URL: urlOf(ROLES.rows),
    ADMIN_DATABASE_URL: urlOf(),
    ...changes,
  })
  beforeAll(async () => {
    test = await createTestDatabase()
    await sql.raw(`create database ${name}`).execute(test.db)
  })
  afterAll(async () => {
    await sql.raw(`drop database ${name} with (force)`).execute(test.db)
    for (const role of Object.values(ROLES)) await sql.raw(`drop role if exists ${role}`).execute(test.db)
    await test.drop()
  })

  it.each([
    ['DATABASE_URL', { DATABASE_URL: 'postgres://other:secret@db:5432/tollgate' }],
    ['ROWS_DATABASE_URL', { ROWS_DATABASE_URL: '' }],
  ])('names %s and not its value when it is not the address of the role', async (variable, changes) => {
    const error = await runMigrations(envOf(changes)).catch((reason: unknown) => String(reason))

    expect(error).toContain(`${variable}: with ADMIN_DATABASE_URL this must be postgres://tollgate_`)
    expect(error).not.toContain('secret')
  })

  it('creates the roles and the schema, and changes nothing when it runs again without the superuser', async () => {
    const first = await runMigrations(envOf())
    const second = await runMigrations(envOf({ ADMIN_DATABASE_URL: '' }))

    expect(first).toEqual(migrationNames)
    expect(second).toEqual([])
    // A pooler that shares sessions; nothing listens there.
    const DATABASE_URL = 'postgres://tollgate_owner:one@127.0.0.1:1/tollgate'
    const direct = { DATABASE_URL, MIGRATE_DATABASE_URL: urlOf(ROLES.owner), ADMIN_DATABASE_URL: '' }
    expect(await runMigrations(envOf(direct))).toEqual([])
    const rows = connectDb({ url: urlOf(ROLES.rows), max: 1, name: 'migrate-test' })
    expect(await isSetUp(rows)).toBe(false)
    await rows.destroy()
  })
})
