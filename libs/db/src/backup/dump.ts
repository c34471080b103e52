import type { Readable } from 'node:stream'
import type { TransactionSql } from 'postgres'
import { connectCopy, quoteName } from './connect-copy.ts'

export type DumpedTable = { readonly name: string; readonly columns: readonly string[] }

/** Facts that a backup needs beside the rows to load them into a database of the same migration. */
export type DumpOutline = {
  /** Name of the newest migration that ran. */
  readonly migration: string
  /** Referenced tables come before those that refer to them. */
  readonly tables: readonly DumpedTable[]
  readonly partitions: readonly { readonly parent: string; readonly name: string; readonly bound: string }[]
  readonly sequences: readonly { readonly name: string; readonly value: number }[]
}

export type Dump = DumpOutline & {
  /** Rows in the text format of COPY: one line each. */
  readRows(table: DumpedTable): Promise<Readable>
}

/** Reads every table in one snapshot. Tables are read one after the other; services continue meanwhile. Rejects when Postgres falls silent. */
export async function dumpDatabase<T>(url: string, use: (dump: Dump) => Promise<T>, silentMs?: number): Promise<T> {
  const sql = connectCopy(url, silentMs)
  try {
    // The wrapper keeps postgres.js from treating an array as a list of queries.
    const { result } = await sql.begin('isolation level repeatable read read only', async (tx) => {
      const outline = await readOutline(tx)
      return { result: await use({ ...outline, readRows: (table) => readRows(tx, table) }) }
    })
    return result
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function readRows(tx: TransactionSql, { name, columns }: DumpedTable): Promise<Readable> {
  // The form with a query also reads a partitioned table.
  const rows = await tx.unsafe(`copy (select ${columns.map(quoteName).join(', ')} from ${quoteName(name)}) to stdout`).readable()
  // postgres.js pauses its socket when this stream is full, and resumes it in `_read`, which an ended stream no longer calls.
  rows.once('end', () => rows._read(0))
  return rows
}

async function readOutline(tx: TransactionSql): Promise<DumpOutline> {
  const migration = await readMigration(tx)
  const tables = await tx<{ name: string; columns: string[]; references: string[] }[]>`
    select c.relname as name,
      (select array_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as references
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'kysely\\_%' and c.relname not like 'restoring\\_%'
    order by c.relname`
  const partitions = await tx<{ parent: string; name: string; bound: string }[]>`
    select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
    order by c.relname`
  const sequences = await tx<{ name: string; value: string }[]>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`
  return {
    migration,
    tables: inOrder(tables).map(({ name, columns }) => ({ name, columns })),
    partitions: [...partitions],
    sequences: sequences.map(({ name, value }) => ({ name, value: Number(value) })),
  }
}

/** The newest migration. A database that this version has not migrated yet has no second table. */
async function readMigration(tx: TransactionSql): Promise<string> {
  const [found] = await tx<{ has_later: boolean }[]>`select to_regclass('kysely_migration_later') is not null as has_later`
  const names =
    found?.has_later === true
      ? tx`select name from kysely_migration union select name from kysely_migration_later`
      : tx`select name from kysely_migration`
  const [newest] = await tx<{ name: string }[]>`select max(name) as name from (${names}) as known`
  return newest?.name ?? ''
}

/** Sorts tables so that each comes after the tables that it refers to. */
function inOrder<T extends { readonly name: string; readonly references: readonly string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  let left = [...tables]
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name))
    const ready = left.filter(({ references }) => references.every((name) => !names.has(name)))
    if (ready.length === 0) throw new Error(`tables refer to each other: ${[...names].join(', ')}`)
    ordered.push(...ready)
    left = left.filter((table) => !ready.includes(table))
  }
  return ordered
}
