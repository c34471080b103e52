import type { Socket } from 'node:net'
import { DamagedSource } from './damaged-source.ts'

/** A row as the driver answered it; `cells` reads its fields. */
export type Row = Readonly<Record<string, unknown>>

export type PageQuery = {
  readonly table: string
  /** Columns to read; absent: all. */
  readonly columns?: readonly string[]
  /** The rows are ordered by this column, which has no duplicates. */
  readonly key: string
  /** Only rows whose key is greater; absent: from the first. */
  readonly after?: string | number | undefined
  readonly limit: number
  readonly order?: 'ascending' | 'descending'
  /** A key with duplicates: rows of one key are in the order of this column. */
  readonly tie?: { readonly column: string; readonly after?: string | undefined }
  /** Only rows in which this column has this value or more. */
  readonly atLeast?: { readonly column: string; readonly value: number | string }
  readonly equals?: { readonly column: string; readonly value: number }
}

/** A database of another program, open for reading only. */
export type Store = {
  readonly kind: 'sqlite' | 'postgres' | 'mysql'
  /** The columns of every table. */
  tables(): Promise<ReadonlyMap<string, readonly string[]>>
  page(query: PageQuery): Promise<Row[]>
  count(table: string): Promise<number>
  /** The exact sum of an integer column. */
  sum(table: string, column: string): Promise<bigint>
  max(table: string, column: string): Promise<number>
  close(): Promise<void>
}

/** Opens the connection to a database, or refuses its address. */
export type Connect = (host: string, port: number) => Promise<Socket>

export type Quoting = { readonly name: (name: string) => string; readonly parameter: (index: number) => string }

/** The statement of a page and its parameters. Names come from the source's own catalogue and are quoted. */
function pageStatement(query: PageQuery, { name, parameter }: Quoting): { text: string; values: (string | number)[] } {
  const values: (string | number)[] = []
  const conditions: string[] = []
  const add = (column: string, operator: string, value: string | number): void => {
    values.push(value)
    conditions.push(`${name(column)} ${operator} ${parameter(values.length)}`)
  }
  const isDescending = query.order === 'descending'
  const beyond = isDescending ? '<' : '>'
  const { tie } = query
  if (query.after !== undefined && tie?.after !== undefined) {
    values.push(query.after, tie.after)
    const pair = `(${parameter(values.length - 1)}, ${parameter(values.length)})`
    conditions.push(`(${name(query.key)}, ${name(tie.column)}) ${beyond} ${pair}`)
  } else if (query.after !== undefined) add(query.key, beyond, query.after)
  if (query.atLeast !== undefined) add(query.atLeast.column, '>=', query.atLeast.value)
  if (query.equals !== undefined) add(query.equals.column, '=', query.equals.value)
  const columns = query.columns === undefined ? '*' : query.columns.map(name).join(', ')
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  const order = [query.key, ...(tie === undefined ? [] : [tie.column])]
    .map((column) => `${name(column)}${isDescending ? ' desc' : ''}`)
    .join(', ')
  return { text: `select ${columns} from ${name(query.table)}${where} order by ${order} limit ${Math.trunc(query.limit)}`, values }
}

type Statements = {
  readonly quoting: Quoting
  readonly all: (text: string, values?: readonly (string | number)[]) => Promise<Row[]>
  /** A column as a number that the store sums exactly. */
  readonly asNumber: (column: string) => string
}

/** The reads that differ between stores in how names and numbers are written only. */
export function readsOf({ quoting, all, asNumber }: Statements): Pick<Store, 'page' | 'count' | 'sum' | 'max'> {
  const { name } = quoting
  const one = async (what: string, table: string): Promise<unknown> =>
    (await all(`select ${what} as value from ${name(table)}`))[0]?.['value']
  return {
    page: async (query) => {
      const { text, values } = pageStatement(query, quoting)
      const rows = await all(text, values)
      requireProgress(rows, query)
      return rows
    },
    count: async (table) => Number(await one('count(*)', table)),
    sum: async (table, column) => toBigInt(await one(`coalesce(sum(${asNumber(name(column))}), 0)`, table)),
    max: async (table, column) => Number(await one(`coalesce(max(${name(column)}), 0)`, table)),
  }
}

/** A page that ends where it began would be read again and again: ids beyond what a number holds, or rows without one. */
function requireProgress(rows: readonly Row[], { table, key, after, limit, order, tie }: PageQuery): void {
  if (rows.length < limit || tie !== undefined) return
  const last = rows.at(-1)?.[key]
  const isBeyond = order === 'descending' ? Number(last) < Number(after) : Number(last) > Number(after)
  const isStuck = typeof after === 'number' ? !isBeyond : last === null || (after !== undefined && last === after)
  if (isStuck) throw new DamagedSource(`the rows of ${table} cannot be read one after another by ${key}`)
}

/** Tables with their columns, from rows of `table_name` and `column_name`. */
export function tablesIn(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(rows, (row) => String(row['table_name']))
  return new Map([...grouped].map(([table, columns]) => [table, columns.map((row) => String(row['column_name']))]))
}

/** The sum of a column as a big integer; drivers answer a text, a number or a big integer. */
function toBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return BigInt(Math.trunc(value))
  return typeof value === 'string' && /^-?\d+/.test(value) ? BigInt(/^-?\d+/.exec(value)?.[0] ?? '0') : 0n
}

/** Encryption of a connection: none, with any certificate, or with one that a known authority has given to this host. */
export type Encryption = 'none' | 'unverified' | 'verified'

/** The `sslmode` of an address, in the words of Postgres; MySQL has `ssl-mode`, `ssl` and `tls` too. A mode that is unknown is verified. */
export function encryptionOf({ searchParams }: URL): Encryption {
  const mode = ['sslmode', 'ssl-mode', 'tls', 'ssl'].map((name) => searchParams.get(name)).find((value) => value !== null)
  switch (mode?.toLowerCase()) {
    case undefined:
    case '':
    case 'false':
    case 'disable':
    case 'disabled':
      return 'none'
    case 'allow':
    case 'prefer':
    case 'preferred':
    case 'require':
    case 'required':
    case 'skip-verify':
      return 'unverified'
    default:
      return 'verified'
  }
}
