import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ProblemError } from '../lib/errors.ts'

export interface Input<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}

type Issue = z.core.$ZodIssue

/** True for messages of the contract, which are keys of `fields.json`. Zod's own messages become one of the general keys. */
const isKey = (message: string) => /^[a-z][a-z0-9-]*$/.test(message)

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

function keyOf(issue: Issue, value: unknown): string {
  if (isKey(issue.message)) return issue.message
  if (issue.code === 'too_big' && issue.origin === 'string') return 'too-long'
  return at(value, issue.path) == null && issue.path.length > 0 ? 'empty' : 'wrong'
}

const hasUnknownFields = (issues: readonly Issue[]) =>
  issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0)

/** The issues of the variant of a union that the body was meant as: the only one with all of its fields. */
function meantIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [meant, ...others] = issue.errors.filter(issues => !hasUnknownFields(issues))
  if (!meant || others.length > 0) return [issue]
  return meant.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

const faultsIn = (issue: Issue, value: unknown) =>
  issue.code === 'unrecognized_keys' && issue.path.length > 0
    ? issue.keys.map(key => [[...issue.path, key].join('.'), 'unknown'] as const)
    : [[issue.path.join('.'), keyOf(issue, value)] as const]

/** The first fault of each field: its path, such as `items.3.repeatCount`, and a key of `fields.json`. */
function faultsOf(issues: readonly Issue[], value: unknown) {
  const faults = new Map<string, string>()
  for (const issue of issues.flatMap(meantIssues))
    for (const [path, message] of faultsIn(issue, value)) if (!faults.has(path)) faults.set(path, message)
  return [...faults].map(([path, message]) => ({ path, message }))
}

/** A body of millions of wrong values must not make a larger answer. */
const MAX_ERRORS = 1000

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (errors: { path: string; message: string }[]) => ProblemError,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refuse(faultsOf(result.error.issues.slice(0, MAX_ERRORS), value))
}

const malformed = (errors: { path: string; message: string }[]) =>
  new ProblemError(400, 'malformed', { errors })
const wrongFields = (errors: { path: string; message: string }[]) =>
  new ProblemError(422, 'wrong-fields', { errors })

/** Parses a JSON body: 400 if it is missing, 422 for wrong fields. @throws ProblemError */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (body === undefined || body === null) throw malformed([{ path: '', message: 'empty' }])
  return parsed(schema, body, wrongFields)
}

/**
 * Parses a call's parameters and query (400), then its body. An unknown content type as the first path segment gives 404,
 * because no such path exists. A call that takes the bytes of its JSON parses them itself.
 */
export function parseInput<E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> {
  const noSuchPath = () => new ProblemError(404, 'no-such-call')
  const params = parsed(endpoint.params, request.params, errors =>
    endpoint.path.startsWith('/{') && errors.some(error => endpoint.path.startsWith(`/{${error.path}}`))
      ? noSuchPath()
      : malformed(errors),
  )
  const query = parsed(endpoint.query, request.query, malformed)
  // The form parser leaves the body to the handler, and this call's handler reads none.
  if (endpoint.bodyForm !== 'multipart' && request.isMultipart())
    throw new ProblemError(415, 'unsupported-media-type', { detail: 'This call takes JSON.' })
  if (endpoint.bodyForm !== 'json' || request.routeOptions.config.takesJsonBytes)
    return { params, query, body: {} } as Input<E>
  return { params, query, body: parseBody(endpoint.body, request.body) } as Input<E>
}
