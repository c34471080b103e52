import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { connectDb, type Db } from '../connect.ts'
import { migrate, migrateTo } from '../migrate.ts'
import { connectCopy, quoteName } from './connect-copy.ts'
import type { DumpedTable, DumpOutline } from './dump.ts'

type Load = {
  readonly url: string
  readonly outline: DumpOutline
  /** Rows of a table in the text format of COPY. */
  readonly readRows: (table: DumpedTable) => Readable
  readonly silentMs?: number
}

/**
 * Loads a dump into a database without users: migrates to the dump's migration, loads everything in one transaction, then migrates to the
 * newest schema. Needs the role that owns the database. Rejects when Postgres falls silent.
 */
export async function loadDatabase({ url, outline, readRows, silentMs }: Load): Promise<void> {
  const db = connectDb({ url, max: 1, name: 'tollgate-restore' })
  try {
    await requireUnused(db)
    await migrateTo(db, outline.migration)
    await loadRows({ url, outline, readRows, ...(silentMs === undefined ? {} : { silentMs }) })
    await migrate(db)
  } finally {
    await db.destroy()
  }
}

async function loadRows({ url, outline, readRows, silentMs }: Load): Promise<void> {
  const sql = connectCopy(url, silentMs)
  try {
    await sql.begin(async (tx) => {
      // Migrations insert rows, which are in the dump too.
      await tx.unsafe(`truncate ${outline.tables.map(({ name }) => quoteName(name)).join(', ')}`)
      for (const { parent, name, bound } of outline.partitions) {
        await tx.unsafe(`create table if not exists ${quoteName(name)} partition of ${quoteName(parent)} ${bound}`)
      }
      for (const table of outline.tables) await loadTable(tx, table, readRows(table))
      for (const { name, value } of outline.sequences) await tx`select setval(${quoteName(name)}::regclass, ${value})`
    })
    await sql`analyze`
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function loadTable(tx: TransactionSql, { name, columns }: DumpedTable, rows: Readable): Promise<void> {
  const copy = await tx.unsafe(`copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) from stdin`).writable()
  await pipeline(rows, copy)
}

async function requireUnused(db: Db): Promise<void> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'users')) return
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) throw new Error('the database is in use: it has users. Restore into an empty one')
}
