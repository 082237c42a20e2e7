/** True for PostgreSQL's error classes 22 (a value that a column cannot hold) and 23 (a broken constraint). */
export function isValueFault(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error))
}

/** Class 40: PostgreSQL rolled the transaction back because of another one; it can be tried again. */
function isGivenUp(error: unknown): boolean {
  return codeOf(error).startsWith('40')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Runs a transaction again, at most twice, if PostgreSQL rolled it back because of another one. */
export async function againWhenGivenUp<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 3 || !isGivenUp(error)) throw error
    }
  }
}

/** True if a statement waited for a lock for as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** True if a table is not changed because of a view that reads it. */
export function isHeldByView(error: unknown): boolean {
  return ['2BP01', '0A000'].includes(codeOf(error))
}

const UNIQUE_VIOLATION = '23505'

/** True if a statement failed because a row with the same key exists. @param constraint the unique index or constraint */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === UNIQUE_VIOLATION &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

/**
 * PostgreSQL's states while it is away: 08 a broken connection, 53 out of connections or memory, 57P shutting down, starting
 * or gone, 25006 a stand-by that takes no writes.
 */
const AWAY_STATES = /^(08|53[023]|57P|25006)/
/** Error codes of the network. */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Messages of errors without a specific code: pg's own errors, and a database that is closed for maintenance. */
const AWAY_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)|is not currently accepting connections/

/** True if the database cannot be reached now. Nothing was refused; the same call may succeed later. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return AWAY_STATES.test(code) || AWAY_CODES.has(code) || AWAY_WORDS.test(error.message)
}
