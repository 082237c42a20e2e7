import { channelPath, ChannelMessage, ChannelReply } from '@floorcast/contract/device-protocol.ts'
import { type Endpoint, isChange } from '@floorcast/contract/endpoint.ts'
import { Uid } from '@floorcast/contract/fields.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { WebhookPost } from '@floorcast/contract/webhooks.ts'
import type { z } from 'zod'
import { isByClient } from '../../settings/address-settings.ts'
import { DocumentSchemas, type JsonSchema } from './openapi-schemas.ts'

interface Described {
  noun: string
  name: string
  endpoint: Endpoint
}

const schemas = new DocumentSchemas()

function parametersOf(schema: z.ZodType, place: 'path' | 'query', call: string) {
  const at = `${call}.${place === 'path' ? 'params' : 'query'}`
  const { properties, required } = schemas.inline(schema, 'input', at) as {
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
  content: { 'application/problem+json': { schema: schemas.of(Problem, 'output') } },
})

/** Answers that calls share. */
const REFUSALS = {
  Malformed: problem('Malformed.'),
  NoToken: problem('No or expired token.'),
  NotAllowed: problem('This caller may not make the call.'),
  WrongFields: problem('Wrong or unknown fields of the body, the path or the query: `errors` names each.'),
  TooMany: problem('Too many calls: `Retry-After` says when to come back.'),
  NotNow: problem('The server cannot do it now: `Retry-After` says when to come back.'),
  OtherError: problem('Any other error: /problems lists the codes.'),
}
const refusal = (name: keyof typeof REFUSALS) => ({ $ref: `#/components/responses/${name}` })

function successOf({ answer, answerForm }: Endpoint, name: string) {
  if (answerForm === 'none') return { description: 'Done; the headers say the rest.' }
  if (answerForm === 'bytes') {
    const described = schemas.of(answer, 'output', `${name}.answer`)
    if (Object.keys(described).length > 0)
      return {
        description: 'The JSON itself, without `data`.',
        content: { 'application/json': { schema: described } },
      }
    const schema = { type: 'string', format: 'binary' }
    return { description: 'The bytes.', content: { 'application/octet-stream': { schema } } }
  }
  const inner = schemas.of(answer, 'output', `${name}.answer`)
  if (answerForm === 'lines')
    return { description: 'Lines of JSON.', content: { 'application/x-ndjson': { schema: inner } } }
  const schema = { type: 'object', required: ['data'], properties: { data: inner } }
  return {
    description: 'Done, or the outcome that says why not.',
    content: { 'application/json': { schema } },
  }
}

function requestBodyOf({ body, describedBody, form, bodyForm }: Endpoint, name: string) {
  if (bodyForm === 'none') return {}
  if (bodyForm === 'json')
    return {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemas.of(describedBody ?? body, 'input', `${name}.body`) },
        },
      },
    }
  if (bodyForm === 'bytes') {
    const schema = { type: 'string', format: 'binary' }
    return { requestBody: { required: true, content: { 'application/offset+octet-stream': { schema } } } }
  }
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: schemas.of(form, 'input', `${name}.form`) } },
    },
  }
}

function operationOf({ noun, name, endpoint }: Described) {
  const codes = endpoint.outcomes.map(outcome => `${outcomes[outcome]} ${outcome}`)
  const [summary = '', more = ''] = endpoint.summary.split(/(?<=\.) (.*)/s)
  const roles = endpoint.access.by === 'user' ? `Roles: ${endpoint.access.roles.join(', ')}.` : ''
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary,
    description: [more, roles, codes.length > 0 ? `Outcomes: ${codes.join(', ')}.` : '']
      .filter(Boolean)
      .join(' '),
    security: endpoint.access.by === 'public' ? [] : [{ [endpoint.access.by]: [] }],
    parameters: [
      ...parametersOf(endpoint.params, 'path', name),
      ...parametersOf(endpoint.query, 'query', name),
      ...(isChange(endpoint) && endpoint.answerForm === 'json'
        ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
        : []),
    ],
    ...requestBodyOf(endpoint, name),
    responses: {
      200: successOf(endpoint, name),
      400: refusal('Malformed'),
      ...(endpoint.access.by !== 'public' && { 401: refusal('NoToken'), 403: refusal('NotAllowed') }),
      422: refusal('WrongFields'),
      429: refusal('TooMany'),
      503: refusal('NotNow'),
      default: refusal('OtherError'),
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
  'x-messages': { server: schemas.of(ChannelMessage, 'output'), device: schemas.of(ChannelReply, 'input') },
  parameters: [
    { name: 'playpointid', in: 'path', required: true, schema: schemas.of(Uid, 'input') },
    { name: 'protocol', in: 'query', schema: { type: 'integer', minimum: 1 } },
    { name: 'ticket', in: 'query', schema: { type: 'string' } },
    { name: 'session', in: 'query', schema: schemas.of(Uid, 'input') },
  ],
  responses: {
    101: { description: 'The connection is a WebSocket now.' },
    400: refusal('Malformed'),
    401: refusal('NoToken'),
    default: refusal('OtherError'),
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key that you choose for this change, such as a new UUID. The change is done once for it, and a repeated call within 24 hours gets the same answer, with the header `Idempotency-Replayed`. Another call with the same key is refused with 422 `key-reused`.',
  required: false,
  schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
}

const DESCRIPTION = `The calls of the console and of devices. A typed client for TypeScript and JavaScript has them too: install it by
\`npm install $URL/client/floorcast-client.tgz\`, and read its README.

## Sign in

\`POST /users/authenticate\` with email and password answers a token: send it as \`Authorization: Bearer TOKEN\`. A user with a second factor gets
403 \`second-factor\` with a ticket for \`POST /api/v2/session/second-step\`. A session that nobody uses ends; then each call answers 401.

\`\`\`sh
TOKEN=$(curl -s $URL/users/authenticate -H 'content-type: application/json' -d '{"email": "ann@example.com", "password": "…"}' | jq -r .data.token)
curl -s "$URL/group/qlist/audio?size=200" -H "authorization: Bearer $TOKEN"
\`\`\`

## Answers

A success is HTTP 200 with \`{"data": …}\`. A call that changes something answers with a \`code\`: 200 is done, and so are 0, 8 and 9 of calls that turn
a state. The other codes say why nothing was changed, under HTTP 200 too; \`reason\` and \`names\` say more. Fields are added to answers: ignore those that
you do not know. A field that a call does not know is refused with 422 by its name, in bodies, queries and forms; only the calls of devices ignore it.

## Lists

A list has \`items\`, \`total\`, \`page\` and \`size\`, and takes \`page\`, \`size\` (200 at most), \`search\`, \`sort\`, \`dir\` and filters of its own.

## Many at once

A call for many takes \`{"uids": […]}\` or \`{"filter": {…}}\`, handles 1,000 items, and lists those that it has \`done\` and \`failed\`. With
\`remaining\`, repeat it with the answer's \`after\`. A filter that finds every item needs \`"all": true\`.

## Errors

An HTTP error is a \`Problem\` (RFC 9457). Its \`type\` leads to a page about its \`code\`; [/problems](/problems) lists all. \`id\` is that of the request, by
which the operator finds it in the log.

## Repeat a change

Send an \`Idempotency-Key\` with a change, and the same one when you got no answer and send it again: the change is done once, and for 24 hours a
repeated call gets the same answer, with the header \`Idempotency-Replayed\`.

## Events

\`GET /api/v2/events?after=0\` tells what happened, oldest first, for 30 days: devices that are late, down, silent or back, publications that are ready or
lack files, alerts, ads that fell short, the plan. Keep the answer's \`next\` and ask again with \`after\`: you miss none. Several devices that do the
same at once are one event with \`deviceCount\`.

## Webhooks

\`POST /api/v2/webhooks/add\` has events posted to your address, signed as [Standard Webhooks](https://www.standardwebhooks.com) has it: check
\`webhook-signature\` with the secret of the answer by one of its libraries. Answer with a status of 200 to 299 within 15 seconds, and do the work afterwards.
Otherwise the event comes again for a day, with the same \`webhook-id\`: store the ids that you know. Events of one topic, such as an alert, come in their
order. An address is public and speaks https; redirects are not followed. After three days without a success the webhook is disabled.

## Versions

The version of this document is that of the server's release. The specification's paths, names and codes stay. Releases add calls, fields, kinds of events
and codes: read what you know, and ignore the rest.

## Limits

\`RateLimit-Policy: "changes";q=1000;w=100\` says that a client makes 1,000 changes at once, and as many in 100 seconds;
\`RateLimit: "changes";r=997;t=1\` that 997 are left, and that all are there again after a second. A bulk call is one change. 429 and 503 have
\`Retry-After\`, in seconds.`

/** What a webhook gets. */
const webhook = {
  operationId: 'webhooks.receive',
  tags: ['webhooks'],
  summary: 'An event, at the address of a webhook.',
  security: [],
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })),
  requestBody: { content: { 'application/json': { schema: schemas.of(WebhookPost, 'output') } } },
  responses: { '2XX': { description: 'It is taken.' } },
}

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
  return schemas.complete({
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
    webhooks: { event: { post: webhook } },
    components: {
      responses: REFUSALS,
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes: { user: bearer, device: bearer, operator: bearer },
    },
  })
}
