import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import { openSource } from '@tollgate/moving-in/open-source'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { gatewayTables, GENERATIONS, writeGatewayFile, type Generation, type StoreKind } from '@tollgate/testing/gateway-database'
import { fillMysql, fillPostgres } from '@tollgate/testing/gateway-stores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runImport } from '../services/control-plane/src/moving-in/run-import.ts'
import { createTestApp } from '../services/control-plane/test/test-app.ts'
import { startMariadb, type Mariadb } from './support/mariadb.ts'

describe('an import from each store', () => {
  let dir: string
  let mariadb: Mariadb
  const databases: TestDatabase[] = []
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
    mariadb = await startMariadb()
  })
  afterAll(async () => {
    await mariadb.stop()
    for (const database of databases) await database.drop()
    await rm(dir, { recursive: true })
  })

  const writers: Readonly<Record<StoreKind, (generation: Generation) => Promise<string>>> = {
    sqlite: async (generation) => {
      const path = join(dir, `${generation}.db`)
      writeGatewayFile(path, gatewayTables(generation))
      return path
    },
    postgres: async (generation) => {
      const database = await createTestDatabase()
      databases.push(database)
      await fillPostgres(database.url, gatewayTables(generation))
      return database.url
    },
    mysql: async (generation) => {
      const name = generation.replaceAll(/\W/g, '_')
      await fillMysql(mariadb.urlOf(''), name, gatewayTables(generation))
      return mariadb.urlOf(name)
    },
  }

  const importFrom = async (kind: StoreKind, generation: Generation): Promise<Partial<ImportReport>> => {
    const address = await writers[kind](generation)
    const app = await createTestApp()
    const source = await openSource(address, { now: 0 })
    try {
      const options = { name: 'old', isDryRun: false, merge: 'none', logDays: 100_000 } as const
      const { store, started_at: _, finished_at: __, ...report } = await runImport(app.deps, source, options)
      expect(store).toBe(kind)
      expect(report.sums.map((sum) => sum.source - sum.target)).toEqual([0, 0, 0])
      return report
    } finally {
      await source.close()
      await app.stop()
    }
  }

  it.each(GENERATIONS)('gives the same report of %s from SQLite, Postgres and MariaDB', async (generation) => {
    const fromFile = await importFrom('sqlite', generation)

    expect(await importFrom('postgres', generation)).toEqual(fromFile)
    expect(await importFrom('mysql', generation)).toEqual(fromFile)
    expect(fromFile.counts?.users.created).toBe(6)
  })

  it('reads tables in latin1, zero dates and whole numbers beyond 2^53 from MariaDB', async () => {
    const tables = gatewayTables('new-api-2026')
    await fillMysql(mariadb.urlOf(''), 'odd', tables)
    await mariadb.run('odd', [
      'alter table users convert to character set latin1',
      "insert into users (id, username, password, role, status, quota, used_quota, deleted_at) values (30, 'zoë', '', 1, 1, 9223372036854775807, 5, '0000-00-00 00:00:00')",
    ])
    const app = await createTestApp()
    const source = await openSource(mariadb.urlOf('odd'), { now: 0 })
    try {
      const report = await runImport(app.deps, source, { name: 'old', isDryRun: false, merge: 'none' })
      expect(report.counts.users).toMatchObject({ created: 7, refused: 0 })
      expect(report.changed.filter(({ at }) => at === 'users 30')).toMatchObject([
        { code: 'out-of-range', detail: 'quota 9223372036854775807' },
      ])
      const row = await app.deps.db.selectFrom('users').select(['deleted_at', 'spent']).where('username', '=', 'zoë').executeTakeFirst()
      expect(row).toEqual({ deleted_at: null, spent: 5 })
    } finally {
      await source.close()
      await app.stop()
    }
  })
})
