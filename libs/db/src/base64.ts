import { sql, type RawBuilder } from 'kysely'

/**
 * Bytes that are sent and answered as base64: Postgres converts them, which costs the event loop of a service nothing. The driver writes a
 * Buffer as hexadecimal text, which is longer and made in the loop.
 */
export const fromBase64 = (text: string): RawBuilder<Buffer> => sql`decode(${text}::text, 'base64')`

/** Without the line breaks that Postgres adds. */
export const toBase64 = (column: string): RawBuilder<string> => sql`translate(encode(${sql.ref(column)}, 'base64'), E'\n', '')`
