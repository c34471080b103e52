import postgres from 'postgres'

/** A connection for COPY and for statements whose names come from the catalogue; Kysely has neither. */
export function connectCopy(url: string) {
  return postgres(url, { max: 1, max_lifetime: null, onnotice: () => undefined, connection: { application_name: 'tollgate-backup' } })
}

/** A name as SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
