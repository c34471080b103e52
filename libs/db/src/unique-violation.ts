import postgres from 'postgres'

/** True if a statement failed because a value is already taken; `constraint` selects one unique constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof postgres.PostgresError) || error.code !== '23505') return false
  return constraint === undefined || error.constraint_name === constraint
}
