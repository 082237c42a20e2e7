/** PostgreSQL's error classes: 22 a value that cannot be held, 23 a rule of the table broken. */
export function isValueFault(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error))
}

/** Class 40: the transaction was given up for another one's sake and may simply be tried again. */
function isGivenUp(error: unknown): boolean {
  return codeOf(error).startsWith('40')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Tries a transaction again, twice at most, when PostgreSQL gave it up for another one's sake. */
export async function againWhenGivenUp<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 3 || !isGivenUp(error)) throw error
    }
  }
}

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

/**
 * PostgreSQL's words for being away: 08 a broken connection, 53 out of connections or memory, 57P shutting down, starting
 * or gone, 25006 a stand-by that takes no writes.
 */
const AWAY_STATES = /^(08|53[023]|57P|25006)/
/** The network's. */
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
/** pg gives its own errors no code; a database closed for maintenance has one that says other things too. */
const AWAY_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)|is not currently accepting connections/

/** Whether an error says that the database cannot be reached now: nothing was refused, the same call may do later. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return AWAY_STATES.test(code) || AWAY_CODES.has(code) || AWAY_WORDS.test(error.message)
}
