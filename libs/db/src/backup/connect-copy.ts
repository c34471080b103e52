import postgres from 'postgres'
import { Sockets } from '../sockets.ts'

/** The longest statement without a byte is the `analyze` at the end. */
const SILENT_MS = 600_000

/** A connection for COPY and for statements whose names come from the catalogue; Kysely has neither. */
export function connectCopy(url: string, silentMs = SILENT_MS) {
  return postgres(url, {
    max: 1,
    max_lifetime: null,
    // A transaction pooler lends each transaction another server.
    prepare: false,
    ...new Sockets(silentMs).option,
    onnotice: () => undefined,
    connection: { application_name: 'tollgate-backup' },
  })
}

/** A name as SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
