import { channelPath, ChannelMessage, ChannelReply } from '@floorcast/contract/device-protocol.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { Uid } from '@floorcast/contract/fields.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'
import { isByClient } from '../../settings/address-settings.ts'

interface Described {
  noun: string
  name: string
  endpoint: Endpoint
}

type JsonSchema = Record<string, unknown>

/** Describes these schemas of zod for JSON Schema where generators of clients read it otherwise. */
function describe({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  if (def.type === 'file') {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
    Object.assign(jsonSchema, { type: 'string', format: 'binary' })
  }
  // The keys of a record are fields with names.
  const keys = def.type === 'record' ? def.keyType._zod.values : undefined
  if (keys)
    jsonSchema['properties'] = Object.fromEntries(
      [...keys].map(key => [String(key), structuredClone(jsonSchema['additionalProperties'])]),
    )
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: describe })
  return rest
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query') {
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
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
    const described = schemaOf(answer, 'output')
    if (Object.keys(described).length > 0)
      return {
        description: 'The JSON itself, without `data`.',
        content: { 'application/json': { schema: described } },
      }
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

function requestBodyOf({ body, describedBody, form, bodyForm }: Endpoint) {
  if (bodyForm === 'none') return {}
  if (bodyForm === 'json')
    return {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(describedBody ?? body, 'input') } },
      },
    }
  if (bodyForm === 'bytes') {
    const schema = { type: 'string', format: 'binary' }
    return { requestBody: { required: true, content: { 'application/offset+octet-stream': { schema } } } }
  }
  return {
    requestBody: { required: true, content: { 'multipart/form-data': { schema: schemaOf(form, 'input') } } },
  }
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
      422: problem('Wrong or unknown fields of the body, the path or the query: `errors` names each.'),
      default: problem('Any other error.'),
    },
  }
}

/** `deviceProtocol` as `Device protocol`. */
const titleOf = (noun: string) =>
  noun
    .replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .replace(/^./, letter => letter.toUpperCase())

/** The WebSocket of a device: OpenAPI has no word for its messages, which stand with the schemas. */
const channel = {
  operationId: 'deviceProtocol.channel',
  tags: ['deviceProtocol'],
  summary: 'The channel of a device: a WebSocket. docs/device-protocol.md describes it.',
  description:
    'The server sends `ChannelMessage`, the device `ChannelReply`, each as a JSON text. A browser, which can send no header, has `ticket`.',
  security: [{ device: [] }, {}],
  parameters: [
    { name: 'playpointid', in: 'path', required: true, schema: schemaOf(Uid, 'input') },
    { name: 'protocol', in: 'query', schema: { type: 'integer', minimum: 1 } },
    { name: 'ticket', in: 'query', schema: { type: 'string' } },
    { name: 'session', in: 'query', schema: schemaOf(Uid, 'input') },
  ],
  responses: {
    101: { description: 'The connection is a WebSocket now.' },
    400: problem('Malformed.'),
    401: problem('No or expired token.'),
    default: problem('Any other error.'),
  },
}

const DESCRIPTION = `The calls of the console and of devices.

Sign in by \`POST /users/authenticate\` and send its token as \`Authorization: Bearer TOKEN\`. A success is HTTP 200 with \`{"data": …}\`. A call that
changes something answers with a \`code\`: 200 is done; other codes say why not, under HTTP 200 too. A list has \`items\`, \`total\`, \`page\` and
\`size\`, and takes \`page\`, \`size\`, \`search\`, \`sort\` and \`dir\`. An HTTP error is a \`Problem\` (RFC 9457) with the \`id\` of its request, by
which the operator finds it in the log. A field that a call does not know is refused
with 422 by its name, in bodies, queries and forms; only the calls of devices ignore it.`

interface About {
  version: string
  apiUrl: string
  streamUrl: string
}

const CLIENT_UID = { default: '00000000-0000-4000-8000-000000000000', description: 'The uid of the client' }

const serverOf = (address: string) => ({
  url: address.replace(/\/$/, ''),
  ...(isByClient(address) && { variables: { client: CLIENT_UID } }),
})

/** The OpenAPI document of these endpoints, made from the contract alone. */
export function openApiOf(endpoints: readonly Described[], { version, apiUrl, streamUrl }: About) {
  const paths: Record<string, Record<string, object>> = { [channelPath]: { get: channel } }
  for (const described of endpoints) {
    const { method, path } = described.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(described) }
  }
  const nouns = [...new Set(endpoints.map(({ noun }) => noun))]
  const bearer = { type: 'http' as const, scheme: 'bearer' }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Floorcast',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [...new Set([apiUrl, streamUrl])].map(serverOf),
    tags: nouns.map(name => ({ name, description: titleOf(name) })),
    paths,
    components: {
      schemas: {
        Problem: schemaOf(Problem, 'output'),
        ChannelMessage: schemaOf(ChannelMessage, 'output'),
        ChannelReply: schemaOf(ChannelReply, 'input'),
      },
      securitySchemes: { user: bearer, device: bearer, operator: bearer },
    },
  }
}
