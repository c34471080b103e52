import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { connectDb, type Db } from './connect.ts'
import { migrate } from './migrate.ts'
import { createPartition } from './queries/logs/partitions.ts'
import { isSetUp } from './queries/installation/setup.ts'
import { createUser } from './queries/users/users.ts'
import { readWalPosition } from './queries/ledger/wal-position.ts'
import { createRoles, isSuperuser, ROLES } from './roles.ts'

describe('the roles of the services', () => {
  const name = `t_roles_${randomBytes(6).toString('hex')}`
  let test: TestDatabase
  const urlOf = (user: string): string => {
    const url = new URL(test.url)
    url.pathname = `/${name}`
    if (user !== '') [url.username, url.password] = [user, `password of ${user}`]
    return url.href
  }
  const opened: Db[] = []
  const open = (user: string): Db => {
    const db = connectDb({ url: urlOf(user), max: 2, name: 'roles-test' })
    opened.push(db)
    return db
  }
  let owner: Db
  let rows: Db
  beforeAll(async () => {
    test = await createTestDatabase()
    await sql.raw(`create database ${name}`).execute(test.db)
    const superuser = open('')
    await createRoles(superuser, (role) => `password of ${role}`)
    await createRoles(superuser, (role) => `password of ${role}`)
    owner = open(ROLES.owner)
    rows = open(ROLES.rows)
    await migrate(owner)
    expect(await isSuperuser(superuser)).toBe(true)
  })
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.destroy()))
    await sql.raw(`drop database ${name} with (force)`).execute(test.db)
    for (const role of Object.values(ROLES)) await sql.raw(`drop role ${role}`).execute(test.db)
    await test.drop()
  })

  it.each([ROLES.owner, ROLES.rows])('%s is no superuser and reads neither files nor programs', async (role) => {
    const db = role === ROLES.owner ? owner : rows

    expect(await isSuperuser(db)).toBe(false)
    await expect(sql`select pg_read_file('/etc/passwd')`.execute(db)).rejects.toThrow(/permission denied/)
    await expect(sql`copy (select 1) to program 'true'`.execute(db)).rejects.toThrow(/permission denied/)
    await expect(sql`create role another superuser`.execute(db)).rejects.toThrow(/permission denied/)
  })

  it('the role of the control plane writes rows and reads the log position, but changes no table', async () => {
    const person = { username: 'p', password_hash: 'x', display_name: 'P', role: 1, group: 'default', aff_code: 'p', shards: 8, now: 1 }
    const id = await rows.transaction().execute((tx) => createUser(tx, person))

    expect(id).toBe(1)
    expect(await isSetUp(rows)).toBe(false)
    expect((await readWalPosition(rows)).store).not.toBe('')
    await expect(sql`drop table users`.execute(rows)).rejects.toThrow(/must be owner/)
    await expect(sql`create table another (id int)`.execute(rows)).rejects.toThrow(/permission denied/)
  })

  it('the role of the worker creates partitions, which the control plane can read', async () => {
    const partition = { parent: 'usage_keys', name: 'usage_keys_20200101', from: 20200101, to: 20200102 } as const

    expect(await owner.transaction().execute((tx) => createPartition(tx, partition))).toBe(true)

    expect((await readWalPosition(owner)).store).not.toBe('')
    expect(await rows.selectFrom('usage_keys').selectAll().where('day', '=', 20200101).execute()).toEqual([])
  })
})
