import type { Outcome, OutcomeName, Reason } from '@floorcast/contract/outcomes.ts'
import type { FieldError, SecondStep } from '@floorcast/contract/problem.ts'
import type { NeededItem } from '@floorcast/contract/recycle-bin.ts'
import { findMeant } from '@floorcast/contract/unknown-fields.ts'

export type OutcomeDetails = Omit<Outcome, 'code' | 'reason'> & {
  reason?: Reason
  /** With the reason 'restore-these-first'. */
  needs?: NeededItem[]
}

/** A refused change: the caller gets HTTP 200 with the code of the outcome and these details. */
export class OutcomeError extends Error {
  override readonly name = 'OutcomeError'
  readonly outcome: OutcomeName
  readonly details: OutcomeDetails

  constructor(outcome: OutcomeName, details: OutcomeDetails = {}) {
    super(details.reason ? `${outcome}: ${details.reason}` : outcome)
    this.outcome = outcome
    this.details = details
  }
}

export type ProblemStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 410
  | 412
  | 413
  | 415
  | 416
  | 422
  | 423
  | 426
  | 429
  | 500
  | 503

export interface ProblemDetails {
  /** A sentence in English for developers; never a secret. */
  detail?: string
  errors?: FieldError[]
  retryAfterSeconds?: number
  /** 405: the methods that the address takes. */
  methods?: readonly string[]
  /** The ticket for the second step of a sign-in. */
  secondStep?: SecondStep
}

/** A call that gets an HTTP error; `code` is stable and a key of `problems.json`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: ProblemStatus
  readonly code: string
  readonly details: ProblemDetails

  constructor(status: ProblemStatus, code: string, details: ProblemDetails = {}) {
    super(details.detail ?? code)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Finds refusals for one of their fields, by its message. */
export const isFault =
  (message: string) =>
  (error: unknown): boolean =>
    error instanceof ProblemError && error.details.errors?.some(fault => fault.message === message) === true

/** The client has no such item. The answer is the same for an item of another client. */
export const notFound = () => new ProblemError(404, 'not-found')

/** A fault that names the values which would be right, and the one that was probably meant. */
export function withValues(fault: FieldError, oneOf: readonly string[], sent: unknown): FieldError {
  const didYouMean = typeof sent === 'string' ? findMeant(sent, oneOf) : undefined
  return { ...fault, ...(didYouMean === undefined ? {} : { didYouMean }), oneOf: [...oneOf] }
}

/** 422 for a value outside `oneOf`, where the contract does not list them. */
export const notOneOf = (path: string, sent: string, oneOf: readonly string[]) =>
  new ProblemError(422, 'wrong-fields', { errors: [withValues({ path, message: 'unknown' }, oneOf, sent)] })

export const methodNotAllowed = (methods: readonly string[]) =>
  new ProblemError(405, 'method-not-allowed', {
    detail: `This address takes ${methods.join(', ')}.`,
    methods,
  })

/** 422 for a field that a call does not have; `declared` are those that it has. */
export function unknownField(path: string, declared: readonly string[]): ProblemError {
  const didYouMean = findMeant(path, declared)
  const fault = { path, message: 'unknown', ...(didYouMean === undefined ? {} : { didYouMean }) }
  return new ProblemError(422, 'wrong-fields', { errors: [fault] })
}

/** 422 for one wrong field; `message` is a key of `fields.json`. */
export const wrongField = (path: string, message: string) =>
  new ProblemError(422, 'wrong-fields', { errors: [{ path, message }] })

/** Another user has changed the item: HTTP 409; the caller reads it again. */
export const stale = () => new ProblemError(409, 'stale')

/** The codes of a full disk: the file system's, a quota's and PostgreSQL's. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** True if an error says that a disk is full: that of the files, or that of the database. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISK_FULL_CODES.has(String(error.code))

/** True if an error says that a file does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Returns the value. @throws ProblemError 404 if there is none */
export function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value == null) throw notFound()
  return value
}
