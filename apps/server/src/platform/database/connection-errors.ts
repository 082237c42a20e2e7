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
