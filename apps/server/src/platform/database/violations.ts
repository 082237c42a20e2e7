const UNIQUE_VIOLATION = '23505'

/** True if a statement failed because a row with the same key is there: the unique index or constraint of that name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === UNIQUE_VIOLATION &&
    'constraint' in error &&
    error.constraint === constraint
  )
}
