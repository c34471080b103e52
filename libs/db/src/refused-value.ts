import postgres from 'postgres'

/** True if a statement failed because of one of its values (SQLSTATE classes 22 and 23), so that statements about other rows can succeed. */
export function isRefusedValue(error: unknown): boolean {
  const found = error instanceof Error && error.cause instanceof postgres.PostgresError ? error.cause : error
  return found instanceof postgres.PostgresError && /^2[23]/.test(found.code)
}
