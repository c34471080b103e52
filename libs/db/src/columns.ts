import { sql, type RawBuilder } from 'kysely'

type ColumnType = 'bigint' | 'int' | 'numeric' | 'text' | 'boolean' | 'jsonb' | 'bytea'

/** The column type of every field of a row. */
export type ColumnTypes<Row> = { readonly [Field in keyof Row]-?: ColumnType }

/**
 * Rows as a table with one array parameter per column: `… from ${tableOf(rows, types)} as x(…)` has the same statement text for any number
 * of rows, and Postgres parses arrays in a third of the time it takes for JSON. Text must not contain NUL or unpaired surrogates.
 */
export function tableOf<Row extends object>(rows: readonly Row[], types: ColumnTypes<Row>): RawBuilder<unknown> {
  const fields = fieldsOf(types)
  const arrays = fields.map((field) =>
    toArray(
      rows.map((row) => row[field]),
      types[field],
    ),
  )
  return sql`unnest(${sql.join(arrays)}) as x(${columnsOf(types)})`
}

/** The names of these columns, separated by commas. */
export function columnsOf<Row>(types: ColumnTypes<Row>): RawBuilder<unknown> {
  return sql.join(fieldsOf(types).map((field) => sql.ref(field)))
}

/** Values as one array parameter. The double cast keeps the driver from encoding the text a second time. */
export function toArray(values: readonly unknown[], type: ColumnType): RawBuilder<unknown> {
  return sql`${ENCODERS[type](values)}::text::${sql.raw(type)}[]`
}

// Object.keys widens; the keys of a ColumnTypes object are the column names.
const fieldsOf = <Row>(types: ColumnTypes<Row>) => Object.keys(types) as (keyof Row & string)[]

type Encoder = (values: readonly unknown[]) => string

const plain: Encoder = (values) => `{${values.join(',')}}`

/**
 * Postgres' array literal (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO), in which a backslash escapes the next character.
 * JSON.stringify writes the same text except for the brackets, as long as it escapes only quotes and backslashes.
 */
const texts: Encoder = (values) => {
  const hasControls = values.some((value) => typeof value === 'string' && CONTROL.test(value))
  if (!hasControls) return braced(JSON.stringify(values))
  return `{${values.map((value) => (typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : 'null')).join(',')}}`
}

// oxlint-disable-next-line no-control-regex -- JSON writes these characters as \n or \u0001
const CONTROL = /[\0-\u001f]/

/** JSON text has no control characters. */
const jsons: Encoder = (values) => braced(JSON.stringify(values.map((value) => (value === null ? null : JSON.stringify(value)))))

const bytes: Encoder = (values) =>
  `{${values.map((value) => (Buffer.isBuffer(value) ? String.raw`"\\x${value.toString('hex')}"` : 'null')).join(',')}}`

const braced = (array: string): string => `{${array.slice(1, -1)}}`

const ENCODERS: Readonly<Record<ColumnType, Encoder>> = {
  bigint: plain,
  int: plain,
  numeric: plain,
  boolean: plain,
  text: texts,
  jsonb: jsons,
  bytea: bytes,
}
