import { OutcomeError } from '../lib/errors.ts'

/*
 * How many rows a client has at most is in the database (database/baseline/10-rights-and-limits.sql, docs/security/limits.md):
 * a trigger of each table that grows by users' calls counts up to the limit, from an index, again after each hundredth of the
 * room that is left.
 */

/** The state of an error that a trigger `limit_rows` raises, with the table as detail and the limit as hint. */
const ROW_LIMIT = 'FC001'
const BYTES_PER_MEGABYTE = 1_000_000

interface LimitError extends Error {
  code: string
  detail: string
  hint: string
}

const isLimitError = (error: unknown): error is LimitError =>
  error instanceof Error && 'code' in error && error.code === ROW_LIMIT

/** The refusal that an error of a limit stands for; undefined for other errors. */
export function limitRefusal(error: unknown): OutcomeError | undefined {
  if (!isLimitError(error)) return undefined
  const limit = Number(error.hint)
  if (error.detail === 'playlist_bytes')
    return new OutcomeError('notDone', {
      reason: 'playlist-bytes',
      limit: Math.floor(limit / BYTES_PER_MEGABYTE),
    })
  return new OutcomeError(error.detail === 'media_items' ? 'storageFull' : 'notDone', {
    reason: 'row-limit',
    limit,
  })
}
