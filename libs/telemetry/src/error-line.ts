import { visible } from './visible.ts'

/** Formats an error as one line: its message and that of its deepest cause. */
export function toLine(error: unknown): string {
  if (!(error instanceof Error)) return visible(String(error))
  const cause = deepest(error)
  const own = visible(error.message)
  const below = cause === error ? '' : visible(cause.message)
  const line = below === '' || own.includes(below) ? own : `${own}: ${below}`
  return isOfOtherSchema(cause) ? `${line} (the database was not migrated to this version)` : line
}

/** Undefined column, undefined table: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const OTHER_SCHEMA: readonly unknown[] = ['42703', '42P01']

const isOfOtherSchema = (error: Error): boolean => 'code' in error && OTHER_SCHEMA.includes(error.code)

function deepest(error: Error): Error {
  let at = error
  for (let depth = 0; depth < 10; depth += 1) {
    const next = at instanceof AggregateError ? at.errors[0] : at.cause
    if (!(next instanceof Error)) return at
    at = next
  }
  return at
}
