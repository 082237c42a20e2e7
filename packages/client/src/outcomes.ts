import type { FailedItem, ImportFault, ReasonText, Uid } from './schemas.ts'

/** Of a call for many items, with either outcome. */
interface OfMany {
  /** The items that were changed. */
  done?: Uid[]
  /** The items that were not. */
  failed?: FailedItem[]
  /** Of a call for more than 1,000 items: how many remain. */
  remaining?: number
  /** Repeat the call with it for those that remain. */
  after?: Uid
}

/** A change that was done. */
export interface Done<Code extends number> extends OfMany {
  code: Code
  /** What was done otherwise than asked, if there is something. */
  reason?: ReasonText
  names?: string[]
}

/** A change that was done, with the item that it made or changed. */
export interface Made<Code extends number> extends Done<Code> {
  uid: Uid
}

/** A change that was not done, or not for all items; the server's answer is HTTP 200 all the same. */
export interface Refused<Code extends number> extends OfMany {
  code: Code
  /** Why, beyond the code. */
  reason?: ReasonText
  /** The names of what stands in the way. */
  names?: string[]
  /** The limit that was reached. */
  limit?: number
  /** The faults of a smart playlist. */
  faults?: ImportFault[]
}

const DONE_CODES = [200, 0, 8, 9] as const
type DoneCode = (typeof DONE_CODES)[number]

/** A change that was not done, from `done()`. `outcome` is the server's answer. */
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError'
  readonly outcome: Refused<number>

  constructor(outcome: Refused<number>) {
    const { code, reason, names } = outcome
    super([`Not done: ${code}`, ...(reason ? [reason] : []), ...(names ?? [])].join(', '))
    this.outcome = outcome
  }
}

/** The outcome of a change that was done. @throws NotDoneError for any other */
export function done<Outcome extends { code: number }>(
  outcome: Outcome,
): Extract<Outcome, { code: DoneCode }> {
  if (!DONE_CODES.some(code => code === outcome.code)) throw new NotDoneError(outcome)
  return outcome as Extract<Outcome, { code: DoneCode }>
}
