import { sql, type RawBuilder } from 'kysely'

/** A value for a jsonb column. Sent as jsonb, the driver would encode the JSON text a second time, so it is sent as text. */
export function toJsonb(value: unknown): RawBuilder<string> {
  return sql<string>`${JSON.stringify(value)}::text::jsonb`
}
