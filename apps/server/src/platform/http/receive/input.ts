import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { FieldError } from '@floorcast/contract/problem.ts'
import { declaredFields, findMeant } from '@floorcast/contract/unknown-fields.ts'
import type { FastifyRequest } from 'fastify'
import secureJson from 'secure-json-parse'
import type { z } from 'zod'
import { methodNotAllowed, ProblemError, toFieldCode, withValues } from '../../lib/errors.ts'
import { pathOf } from '../admit/access.ts'

/** The length of a request's body, null if it is not announced. */
export function announcedBytes({ headers }: FastifyRequest): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length'])
}

export interface Input<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}

/** Twice the depth of any call. Parsers and PostgreSQL recurse, so a much deeper text would exhaust a stack. */
const DEEPEST = 32

const [QUOTE, BACKSLASH, ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === BACKSLASH) at++
    else if (sign === QUOTE) return at + 1
  }
  return text.length
}

/** The index at which a JSON text nests deeper than 32 levels; -1 if it does not. */
function findTooDeep(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at) - 1
    else if (sign === ARRAY_END || sign === OBJECT_END) depth--
    else if ((sign === ARRAY || sign === OBJECT) && ++depth > DEEPEST) return at
  }
  return -1
}

/** The message of the parser, which names the position. */
function whyNotJson(text: string): string {
  try {
    JSON.parse(text)
    return 'A key such as __proto__ is not allowed'
  } catch (error) {
    return error instanceof Error ? error.message : 'No JSON'
  }
}

export const malformed = (detail: string) => new ProblemError('malformed', { detail })

/** Parses a JSON text. @throws ProblemError 400 with the position of the fault, or for nesting deeper than 32 levels */
export function parseJsonText(text: string): unknown {
  const tooDeep = findTooDeep(text)
  if (tooDeep >= 0) throw malformed(`Nested deeper than ${DEEPEST} levels at character ${tooDeep + 1}`)
  try {
    return secureJson.parse(text)
  } catch {
    throw malformed(whyNotJson(text))
  }
}

type Issue = z.core.$ZodIssue

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

/** Whether the value holds nothing at the path: the field is missing, or null. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const around = at(value, path.slice(0, -1))
  return path.length > 0 && typeof around === 'object' && around !== null && at(value, path) == null
}

function keyOf(issue: Issue, value: unknown): string {
  const isTooLong = issue.code === 'too_big' && issue.origin === 'string'
  return toFieldCode(issue.message, isTooLong ? 'too-long' : isMissing(value, issue.path) ? 'empty' : 'wrong')
}

const unknownAt = (issues: readonly Issue[]) =>
  issues.reduce(
    (count, issue) =>
      count + (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 0),
    0,
  )

const namesField = ({ code, path }: Issue) => code === 'unrecognized_keys' || path.length > 0

/**
 * The issues of the variant of a union that the value was meant as: the one with the fewest fields that it does not have. Of
 * several, the one with the fewest issues, and of these the first whose issues name a field; none if no issue does.
 */
function meantIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const ranked = issue.errors
    .map(issues => ({ issues, rank: unknownAt(issues) * MAX_ERRORS + issues.length }))
    .toSorted((one, other) => one.rank - other.rank)
  const best = ranked.filter(({ rank }) => rank === ranked[0]?.rank)
  const meant = best.length > 1 ? best.find(({ issues }) => issues.every(namesField)) : best[0]
  if (!meant) return [issue]
  return meant.issues.flatMap(inner => meantIssues({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** A value of a query is a text, also where the schema reads a list in it. */
function fieldPathOf({ path }: Issue, value: unknown): string {
  const depth = path.findIndex((_, length) => typeof at(value, path.slice(0, length)) !== 'object')
  return path.slice(0, depth < 0 ? path.length : depth).join('.')
}

/** The value that was sent instead of one of a list's values: of a filter with several, the wrong one. */
function sentOf(issue: Issue, value: unknown): unknown {
  const whole = at(value, issue.path)
  if (whole !== undefined) return whole
  const text = at(value, issue.path.slice(0, -1))
  return typeof text === 'string' ? text.split(',')[Number(issue.path.at(-1))] : undefined
}

function faultsIn(issue: Issue, schema: z.ZodType, value: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const declared = declaredFields(schema, issue.path)
    return issue.keys.map(key => {
      const didYouMean = findMeant(key, declared)
      const path = [...issue.path, key].join('.').slice(0, MAX_PATH_LENGTH)
      return { path, message: 'unknown', ...(didYouMean === undefined ? {} : { didYouMean }) }
    })
  }
  const fault = { path: fieldPathOf(issue, value), message: keyOf(issue, value) }
  return issue.code === 'invalid_value' && issue.values.length > 1 && fault.message === 'wrong'
    ? [withValues(fault, issue.values.map(String), sentOf(issue, value))]
    : [fault]
}

/** The first fault of each field: its path, such as `items.3.repeatCount`, and a key of `fields.json`. */
function faultsOf(issues: readonly Issue[], schema: z.ZodType, value: unknown): FieldError[] {
  const faults = new Map<string, FieldError>()
  for (const issue of issues.flatMap(meantIssues))
    for (const fault of faultsIn(issue, schema, value)) {
      if (faults.size >= MAX_ERRORS) break
      if (!faults.has(fault.path)) faults.set(fault.path, fault)
    }
  return [...faults.values()]
}

/** A body of millions of wrong values must not make a larger answer. */
const MAX_ERRORS = 1000
const MAX_PATH_LENGTH = 200

/** @throws ProblemError 422 with the wrong fields */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ProblemError('wrong-fields', {
    errors: faultsOf(result.error.issues.slice(0, MAX_ERRORS), schema, value),
  })
}

/** Parses a JSON body: 400 if it is missing, 422 for wrong fields. @throws ProblemError */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (body === undefined || body === null)
    throw new ProblemError('malformed', { errors: [{ path: '', message: 'empty' }] })
  return parse(schema, body)
}

/**
 * 405 for the address of another call, which takes another method, such as POST /deploy/deleteunused beside
 * /{contentType}/deleteunused. An unknown content type as the first path segment gives 404, because no such path exists.
 */
function parseParams({ path, params }: Endpoint, { params: sent, url, server }: FastifyRequest): unknown {
  const result = params.safeParse(sent)
  const methods = result.success ? [] : server.methodsAt(pathOf(url))
  if (methods.length > 0) throw methodNotAllowed(methods)
  const isNoPath = result.error?.issues.some(issue => path.startsWith(`/{${String(issue.path[0])}}`))
  if (isNoPath) throw new ProblemError('no-such-call')
  return result.success ? result.data : parse(params, sent)
}

/**
 * Parses a call's parameters, query and body: 422 for wrong fields and for unknown ones. A call that takes the bytes of its
 * JSON parses them itself.
 */
export function parseInput<E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> {
  const params = parseParams(endpoint, request)
  const query = parse(endpoint.query, request.query)
  // The form parser leaves the body to the handler, and this call's handler reads none.
  if (endpoint.bodyForm !== 'multipart' && request.isMultipart())
    throw new ProblemError('unsupported-media-type', { detail: 'This call takes JSON.' })
  const { takesJsonBytes } = request.routeOptions.config
  if (endpoint.bodyForm === 'json' && !takesJsonBytes)
    return { params, query, body: parseBody(endpoint.body, request.body) } as Input<E>
  if (endpoint.bodyForm === 'none' && request.body != null) parse(endpoint.body, request.body)
  return { params, query, body: {} } as Input<E>
}
