import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import type { ProblemCode } from '@floorcast/contract/problem-codes.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isConnectionError } from '../../database/database-errors.ts'
import { isDiskFull, OutcomeError, problemBody, ProblemError } from '../../lib/errors.ts'
import { FileMissingError, FileStoreAwayError } from '../../storage/file-store.ts'
import { JSON_TYPE, outcomeBody } from './json-answers.ts'
import { SMALL_BODY_BYTES } from '../receive/json-body.ts'
import { MAX_FIELDS, MAX_FILES } from '../receive/multipart.ts'

/** Fastify's error codes for requests that reach no handler. */
const REFUSALS: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_PARTS_LIMIT: 'too-large',
  FST_FIELDS_LIMIT: 'too-large',
  FST_FILES_LIMIT: 'too-large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-media-type',
}

/** The time that a known caller has to read an answer that closes its connection. */
const LINGER_MS = 1000

/** Describes the limit that a request of Fastify's refusals exceeds. */
function limitOf(word: string, request: FastifyRequest): string {
  if (word === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return `The largest body that this call takes is ${request.routeOptions.bodyLimit} bytes.`
  if (word.includes('MEDIA_TYPE') || word.includes('CONTENT_TYPE'))
    return 'Bodies are JSON (application/json), those with a file forms (multipart/form-data with a boundary).'
  return `A form has at most ${MAX_FILES} files and ${MAX_FIELDS} fields.`
}

/** PostgreSQL's states for values that no column can hold (a NUL, the year 0). */
const REFUSED_VALUES = new Set(['22003', '22007', '22008', '22021', '22P05'])
const GIVEN_UP = new Set(['40001', '40P01', '57014'])

export const databaseAway = () => new ProblemError('database-away', { retryAfterSeconds: 5 })

/** The caller broke off in the middle of its body. Nobody reads the answer. */
const isAborted = ({ raw }: FastifyRequest) => raw.destroyed && raw.complete === false

function problemOf(error: FastifyError | Error, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error
  if (isAborted(request)) return new ProblemError('aborted')
  const word = (error as Partial<FastifyError>).code ?? ''
  if (REFUSED_VALUES.has(word))
    return new ProblemError('malformed', { detail: 'A value that cannot be stored' })
  // That of the files or of the database. Devices keep their events and send them later.
  if (isDiskFull(error)) return new ProblemError('disk-full', { retryAfterSeconds: 60 })
  if (error instanceof FileStoreAwayError) return new ProblemError('files-away', { retryAfterSeconds: 10 })
  if (error instanceof FileMissingError) return new ProblemError('file-missing')
  if (isConnectionError(error)) return databaseAway()
  if (GIVEN_UP.has(word)) return new ProblemError('busy', { retryAfterSeconds: 1 })
  const { statusCode = 500 } = error as Partial<FastifyError>
  const refusal = REFUSALS[word]
  if (refusal) return new ProblemError(refusal, { detail: limitOf(word, request) })
  if (statusCode === 429) return new ProblemError('too-many-requests')
  if (statusCode >= 400 && statusCode < 500) return new ProblemError('malformed', { detail: error.message })
  return new ProblemError('internal')
}

const isKnown = ({ session, device, operator }: FastifyRequest) => (session ?? device ?? operator) !== null

/**
 * Whether much of a body that nobody wants still comes. It would cost the server to read and drop it. Users and devices may
 * send the rest, so that they read the answer and keep the connection, unless they send too much JSON at once.
 */
function hasMuchToSend(request: FastifyRequest, status: number): boolean {
  const { complete, headers } = request.raw
  const isUnwanted = !isKnown(request) || (status === 429 && /\bjson\b/.test(headers['content-type'] ?? ''))
  const isLarge =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > SMALL_BODY_BYTES
  return isUnwanted && !complete && isLarge
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: ProblemError,
): FastifyReply {
  const { retryAfterSeconds, methods } = problem.details
  request.note.outcome = problem.code
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, retryAfterSeconds)))
  if (methods) reply.header('allow', methods.join(', '))
  const endsConnection = hasMuchToSend(request, problem.status)
  if (endsConnection) {
    reply.header('connection', 'close')
    request.server.connections.endWithAnswer(request.raw)
  }
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  const body = Buffer.from(JSON.stringify(problemBody(problem, request.id)))
  reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
  if (!endsConnection || !request.server.connections.mayLinger(request.raw)) return reply.send(body)
  return reply.header('content-length', body.length).send(Readable.from(sendAndWait(body)))
}

/** Sends an answer whole, and ends it late: the end closes the connection, and a caller that still sends would not read it. */
async function* sendAndWait(body: Buffer) {
  yield body
  await pause(LINGER_MS)
}

/** Admission counts its refusals; under load they would fill the log. An operator has wanted those of 'read only'. */
const isExpected = (error: Error) =>
  error instanceof ProblemError && ['busy', 'read-only'].includes(error.code)

/** Turns every error into an answer; logs unexpected ones with their cause. */
export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OutcomeError) return sendOutcome(error, request, reply)
  const problem = problemOf(error, request)
  if (['database-away', 'disk-full', 'files-away'].includes(problem.code)) request.note.reason = error.message
  else if (problem.code === 'file-missing')
    request.log.error({ err: error }, 'a file that a row names is missing')
  else if (problem.status >= 500 && !isExpected(error)) request.log.error({ err: error }, 'unexpected error')
  return sendProblem(request, reply, problem)
}

/** Sends HTTP 200 with the code of the outcome of a refused change. */
function sendOutcome(error: OutcomeError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.note.outcome = outcomes[error.outcome]
  return reply.code(200).header('cache-control', 'no-store').type(JSON_TYPE).send(outcomeBody(error))
}
