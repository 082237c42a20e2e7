import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'

interface Described {
  noun: string
  name: string
  endpoint: Endpoint
}

type JsonSchema = Record<string, unknown>

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'openapi-3.0',
  })
  return rest
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query') {
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required ?? []).includes(name),
    schema: property,
  }))
}

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

function successOf({ answer, answerForm }: Endpoint) {
  if (answerForm === 'none') return { description: 'Done; the headers say the rest.' }
  if (answerForm === 'bytes') {
    const schema = { type: 'string', format: 'binary' }
    return { description: 'The bytes.', content: { 'application/octet-stream': { schema } } }
  }
  const inner = schemaOf(answer, 'output')
  if (answerForm === 'lines')
    return { description: 'Lines of JSON.', content: { 'application/x-ndjson': { schema: inner } } }
  const schema = { type: 'object', required: ['data'], properties: { data: inner } }
  return {
    description: 'Done, or the outcome that says why not.',
    content: { 'application/json': { schema } },
  }
}

function requestBodyOf({ body, bodyForm }: Endpoint) {
  if (bodyForm === 'none') return {}
  if (bodyForm === 'json')
    return {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }
  if (bodyForm === 'bytes') {
    const schema = { type: 'string', format: 'binary' }
    return { requestBody: { required: true, content: { 'application/offset+octet-stream': { schema } } } }
  }
  const properties = { file: { type: 'string', format: 'binary' } }
  const schema = { type: 'object', required: ['file'], properties, additionalProperties: { type: 'string' } }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
}

function operationOf({ noun, name, endpoint }: Described) {
  const codes = endpoint.outcomes.map(outcome => `${outcomes[outcome]} ${outcome}`)
  const roles = endpoint.access.by === 'user' ? `Roles: ${endpoint.access.roles.join(', ')}.` : ''
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: endpoint.summary,
    description: [roles, codes.length > 0 ? `Outcomes: ${codes.join(', ')}.` : ''].filter(Boolean).join(' '),
    security: endpoint.access.by === 'public' ? [] : [{ [endpoint.access.by]: [] }],
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...requestBodyOf(endpoint),
    responses: {
      200: successOf(endpoint),
      400: problem('Malformed.'),
      ...(endpoint.access.by === 'public' ? {} : { 401: problem('No or expired token.') }),
      ...(endpoint.bodyForm === 'json' ? { 422: problem('Wrong fields.') } : {}),
      default: problem('Any other error.'),
    },
  }
}

/** The OpenAPI document of these endpoints, made from the contract alone. */
export function openApiOf(endpoints: readonly Described[], version: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const described of endpoints) {
    const { method, path } = described.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(described) }
  }
  const bearer = { type: 'http' as const, scheme: 'bearer' }
  return {
    openapi: '3.0.3',
    info: { title: 'Floorcast', version, description: 'The calls of the console and of devices.' },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: { user: bearer, device: bearer },
    },
  }
}
