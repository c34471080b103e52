import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { tableOf, toArray, columnsOf, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

export type ImportRow = {
  readonly name: string
  readonly family: string
  readonly fingerprint: readonly string[]
  readonly cursors: Readonly<Record<string, string>>
}

export function findImport(db: Db | Tx, name: string): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').select(['name', 'family', 'fingerprint', 'cursors']).where('name', '=', name).executeTakeFirst()
}

/** Imports, the latest first. */
export function listImports(db: Db | Tx): Promise<{ name: string; family: string; updated_at: number }[]> {
  return db.selectFrom('imports').select(['name', 'family', 'updated_at']).orderBy('updated_at', 'desc').limit(100).execute()
}

type NewImport = Pick<ImportRow, 'name' | 'family' | 'fingerprint'> & { readonly now: UnixSeconds }

/** Records an import that begins; one that is known keeps its cursors and takes over the newer fingerprint. */
export async function saveImport(db: Db | Tx, { name, family, fingerprint, now }: NewImport): Promise<void> {
  const values = { name, family, fingerprint: toJsonb(fingerprint), created_at: now, updated_at: now }
  await db
    .insertInto('imports')
    .values(values)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ fingerprint: values.fingerprint, updated_at: now }))
    .execute()
}

export async function saveImportCursor(tx: Tx, { name, kind, cursor }: { name: string; kind: string; cursor: string }): Promise<void> {
  await sql`update imports set cursors = cursors || ${toJsonb({ [kind]: cursor })} where name = ${name}`.execute(tx)
}

export async function saveImportReport(db: Db | Tx, { name, report }: { name: string; report: ImportReport }): Promise<void> {
  await db
    .updateTable('imports')
    .set({ report: toJsonb(report), updated_at: report.finished_at })
    .where('name', '=', name)
    .execute()
}

export type CarriedRow = {
  readonly source_id: string
  readonly target_id: number
  readonly digest: string
  readonly state: Readonly<Record<string, unknown>>
}

type Which = { readonly name: string; readonly kind: string; readonly ids: readonly string[] }

export async function listCarried(db: Db | Tx, { name, kind, ids }: Which): Promise<CarriedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CarriedRow>`
    select source_id, target_id, digest, state from imported_rows
    where import_name = ${name} and kind = ${kind} and source_id = any(${toArray(ids, 'text')})`.execute(db)
  return rows
}

type StoredRow = CarriedRow & { readonly import_name: string; readonly kind: string }
const COLUMNS: ColumnTypes<StoredRow> = {
  import_name: 'text',
  kind: 'text',
  source_id: 'text',
  target_id: 'bigint',
  digest: 'text',
  state: 'jsonb',
}

export async function saveCarried(
  tx: Tx,
  { name, kind, rows }: { readonly name: string; readonly kind: string; readonly rows: readonly CarriedRow[] },
): Promise<void> {
  if (rows.length === 0) return
  const stored = rows.map((row) => ({ import_name: name, kind, ...row }))
  await sql`
    insert into imported_rows (${columnsOf(COLUMNS)}) select ${columnsOf(COLUMNS)} from ${tableOf(stored, COLUMNS)}
    on conflict (import_name, kind, source_id) do update set target_id = excluded.target_id, digest = excluded.digest, state = excluded.state`.execute(
    tx,
  )
}

/** Accounts that no import made, apart from those of set-up, and channels: with one of them the installation is in use. */
export async function isInUse(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql<{ in_use: boolean }>`
    select exists (select from channels c where not exists (
        select from imported_rows r where r.kind = 'channels' and r.target_id = c.id))
      or exists (select from users u where u.role < 100 and not exists (
        select from imported_rows r where r.kind = 'users' and r.target_id = u.id)) as in_use`.execute(db)
  return rows[0]?.in_use === true
}

const ID_TABLES = { users: 'users', channels: 'channels', tokens: 'tokens', codes: 'redemptions' } as const
export type NumberedKind = keyof typeof ID_TABLES

/** More ids than this are not skipped over: the rows get ids of their own. */
const MAX_SKIPPED = 10_000_000

/** Lets the sequence of a table go on after this id, so that no other row takes one that a carried row keeps. */
export async function skipIds(db: Db | Tx, kind: NumberedKind, upTo: number): Promise<void> {
  if (upTo > MAX_SKIPPED) return
  const sequence = sql`pg_get_serial_sequence(${ID_TABLES[kind]}, 'id')`
  const { rows } = await sql<{ last: number }>`select nextval(${sequence}) as last`.execute(db)
  const last = rows[0]?.last ?? 0
  if (last < upTo) await sql`select max(nextval(${sequence})) from generate_series(1, ${upTo - last}::bigint)`.execute(db)
}

/** The wanted ids where they are free, and new ones for the others, in the given order. */
export async function takeIds(tx: Tx, kind: NumberedKind, wanted: readonly number[]): Promise<number[]> {
  const table = sql.table(ID_TABLES[kind])
  const sequence = sql`pg_get_serial_sequence(${ID_TABLES[kind]}, 'id')`
  const ids = toArray(
    wanted.map((id) => (id > MAX_SKIPPED ? 0 : id)),
    'bigint',
  )
  const { rows } = await sql<{ id: number }>`
    with s as materialized (
      select coalesce(max(last_value), 0) as last from pg_sequences
      where schemaname = current_schema() and sequencename = split_part(${sequence}, '.', 2)
    )
    select case when x.id > 0 and x.id <= s.last and not exists (select from ${table} t where t.id = x.id) then x.id else nextval(${sequence}) end as id
    from s, unnest(${ids}) with ordinality as x(id, n) order by x.n`.execute(tx)
  return rows.map(({ id }) => id)
}
