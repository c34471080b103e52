import { sql, type RawBuilder } from 'kysely'

type ColumnType = 'bigint' | 'int' | 'text' | 'boolean' | 'jsonb'

/** The type of each field of a row; every field is named. */
export type ColumnTypes<Row> = { readonly [Field in keyof Row]-?: ColumnType }

/**
 * Rows as a table of one array parameter per column: `… from ${tableOf(rows, types)} as x(…)` is one statement of constant text for any
 * number of rows. Postgres reads arrays at a third of what it takes for the same rows as JSON. Text must have no NUL and no half of a
 * surrogate pair.
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

/** The names of these columns, by comma. */
export function columnsOf<Row>(types: ColumnTypes<Row>): RawBuilder<unknown> {
  return sql.join(fieldsOf(types).map((field) => sql.ref(field)))
}

/** Values as one array parameter. The double cast keeps the driver from encoding the text once more. */
export function toArray(values: readonly unknown[], type: ColumnType): RawBuilder<unknown> {
  return sql`${ENCODERS[type](values)}::text::${sql.raw(type)}[]`
}

// The keys of a type of columns are its columns.
const fieldsOf = <Row>(types: ColumnTypes<Row>) => Object.keys(types) as (keyof Row & string)[]

type Encoder = (values: readonly unknown[]) => string

const plain: Encoder = (values) => `{${values.join(',')}}`

/**
 * Postgres' text of an array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO): a backslash makes the next character stand
 * for itself. JSON's text of an array of strings is that too, in other brackets, as long as it escapes nothing but quotes and backslashes.
 */
const texts: Encoder = (values) => {
  const hasControls = values.some((value) => typeof value === 'string' && CONTROL.test(value))
  if (!hasControls) return braced(JSON.stringify(values))
  return `{${values.map((value) => (typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : 'null')).join(',')}}`
}

// oxlint-disable-next-line no-control-regex -- what JSON writes as \n or \u0001
const CONTROL = /[\0-\u001f]/

/** JSON text has no control characters. */
const jsons: Encoder = (values) => braced(JSON.stringify(values.map((value) => (value === null ? null : JSON.stringify(value)))))

const braced = (array: string): string => `{${array.slice(1, -1)}}`

const ENCODERS: Readonly<Record<ColumnType, Encoder>> = { bigint: plain, int: plain, boolean: plain, text: texts, jsonb: jsons }
