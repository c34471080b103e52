import { sql, type RawBuilder } from 'kysely'

/** A value for a jsonb column. The driver would turn a text sent as jsonb into JSON once more; sent as text it is taken as it is. */
export function toJsonb(value: unknown): RawBuilder<string> {
  return sql<string>`${JSON.stringify(value)}::text::jsonb`
}
