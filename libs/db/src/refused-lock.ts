import postgres from 'postgres'

/** True if a statement failed because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
