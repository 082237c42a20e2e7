import type { Outcome, OutcomeName, Reason } from '@floorcast/contract/outcomes.ts'
import type { FieldError, Problem, SecondStep } from '@floorcast/contract/problem.ts'
import { type ProblemCode, problemStatuses } from '@floorcast/contract/problem-codes.ts'
import type { NeededItem } from '@floorcast/contract/recycle-bin.ts'
import { findMeant } from '@floorcast/contract/unknown-fields.ts'
import sentences from '@floorcast/locales/catalogues/en/fields.json' with { type: 'json' }
import { STATUS_CODES } from 'node:http'
import { problemTexts } from './problem-texts.ts'

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

export interface ProblemDetails {
  /** A sentence in English for developers; never a secret. The code's own unless told. */
  detail?: string
  errors?: FieldError[]
  retryAfterSeconds?: number
  /** 405: the methods that the address takes. */
  methods?: readonly string[]
  /** The ticket for the second step of a sign-in. */
  secondStep?: SecondStep
}

/** A call that gets an HTTP error: the code is stable and says the status. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.detail ?? code)
    this.code = code
    this.details = details
  }

  get status(): number {
    return problemStatuses[this.code]
  }
}

type FieldCode = Exclude<keyof typeof sentences, `${string}Hint`>

/** What may be wrong with a field: the keys of the catalogue but its hints. */
export const fieldCodes = Object.keys(sentences).filter((key): key is FieldCode => !key.endsWith('Hint'))
const isFieldCode = (message: string): message is FieldCode => fieldCodes.some(known => known === message)

/** The contract's messages are field codes; those of zod are not. */
export const toFieldCode = (message: string, otherwise: FieldCode = 'wrong'): FieldCode =>
  isFieldCode(message) ? message : otherwise

/** The RFC 9457 body of an HTTP error. A 500 says nothing of its cause but the request's id, which the log has too. */
export function problemBody({ code, details }: Pick<ProblemError, 'code' | 'details'>, id: string): Problem {
  const status = problemStatuses[code]
  const { errors, secondStep } = details
  return {
    type: `/problems/${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: (status === 500 ? undefined : details.detail) ?? problemTexts[code].means,
    code,
    instance: `urn:uuid:${id}`,
    ...(errors && {
      errors: errors.map(fault => ({ ...fault, detail: sentences[toFieldCode(fault.message)] })),
    }),
    ...(secondStep && { secondStep }),
    id,
  }
}

/** Finds refusals for one of their fields, by its message. */
export const isFault =
  (message: string) =>
  (error: unknown): boolean =>
    error instanceof ProblemError && error.details.errors?.some(fault => fault.message === message) === true

/** The client has no such item. The answer is the same for an item of another client. */
export const notFound = () => new ProblemError('not-found')

/** A fault that names the values which would be right, and the one that was probably meant. */
export function withValues(fault: FieldError, oneOf: readonly string[], sent: unknown): FieldError {
  const didYouMean = typeof sent === 'string' ? findMeant(sent, oneOf) : undefined
  return { ...fault, ...(didYouMean === undefined ? {} : { didYouMean }), oneOf: [...oneOf] }
}

/** 422 for a value outside `oneOf`, where the contract does not list them. */
export const notOneOf = (path: string, sent: string, oneOf: readonly string[]) =>
  new ProblemError('wrong-fields', { errors: [withValues({ path, message: 'unknown' }, oneOf, sent)] })

export const methodNotAllowed = (methods: readonly string[]) =>
  new ProblemError('method-not-allowed', {
    detail: `This address takes ${methods.join(', ')}.`,
    methods,
  })

/** 422 for a field that a call does not have; `declared` are those that it has. */
export function unknownField(path: string, declared: readonly string[]): ProblemError {
  const didYouMean = findMeant(path, declared)
  const fault = { path, message: 'unknown', ...(didYouMean === undefined ? {} : { didYouMean }) }
  return new ProblemError('wrong-fields', { errors: [fault] })
}

/** 422 for one wrong field; `message` is a key of `fields.json`. */
export const wrongField = (path: string, message: FieldCode) =>
  new ProblemError('wrong-fields', { errors: [{ path, message }] })

/** Another user has changed the item: HTTP 409; the caller reads it again. */
export const stale = () => new ProblemError('stale')

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
