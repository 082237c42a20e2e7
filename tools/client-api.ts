import { readFileSync } from 'node:fs'
import { isChange } from '../packages/contract/src/endpoint.ts'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { isSuccess, outcomes } from '../packages/contract/src/outcomes.ts'
import {
  type Call,
  capital,
  isPick,
  nameOfParameter,
  readCalls,
  resolve,
  type Schemas,
} from './client-calls.ts'
import { openApiOf } from '../apps/server/src/platform/http/routes/openapi.ts'
import { type FormatConfig, format } from 'oxfmt'
import { commentOf, isSchema, printField, printType, propertiesOf, type Schema } from './schema-types.ts'

/*
 * The typed client's calls and types, written from the OpenAPI document by `npm run docs:api`; `npm run check` says when the file is not
 * what the contract says. docs/decisions/0367 has the reasons.
 */

const SCHEMAS_FILE = 'packages/client/src/schemas.ts'
const CALLS_FILE = 'packages/client/src/api.ts'

interface Input {
  /** Fields of path and query. */
  fields: string[]
  /** Types of the body beside them. */
  bodies: string[]
  isRequired: boolean
  names: string[]
}

/** The fields of a body that is an object, or of each variant of one. */
function bodyNames(schema: Schema, schemas: Schemas): string[] {
  const { anyOf, oneOf, ...own } = resolve(schema, schemas)
  const variants = [anyOf, oneOf].flat().filter(isSchema)
  return [...propertiesOf(own).map(([name]) => name), ...variants.flatMap(each => bodyNames(each, schemas))]
}

function readInput({ operation }: Call, schemas: Schemas): Input {
  const input: Input = { fields: [], bodies: [], isRequired: false, names: [] }
  for (const { name = '', schema, required = false, description } of operation.parameters) {
    if (schema === undefined) continue
    const mustBeGiven = required && !isPick(schema)
    const shown = nameOfParameter(name, schema)
    input.fields.push(printField(shown, { ...schema, description }, mustBeGiven))
    input.names.push(shown)
    input.isRequired ||= mustBeGiven
  }
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  if (body === undefined) return input
  if (resolve(body, schemas)['type'] === 'array') {
    input.fields.push(printField('body', body, true))
    input.names.push('body')
    input.isRequired = true
    return input
  }
  const names = [...new Set(bodyNames(body, schemas))]
  input.names.push(...names)
  input.bodies.push(printType(body))
  const { required, anyOf } = resolve(body, schemas)
  input.isRequired ||= (Array.isArray(required) && required.length > 0) || anyOf !== undefined
  return input
}

function printInput({ fields, bodies }: Input): string {
  const own = fields.length > 0 ? [`{\n${fields.join('')}}`] : []
  const parts = [...own, ...bodies.map(body => (body.includes(' | ') ? `(${body})` : body))]
  return parts.join(' & ')
}

/** What an outcome has beside the fields of every outcome. */
function printExtras(answer: Schema, schemas: Schemas): string {
  const common = new Set(propertiesOf(schemas['Outcome'] ?? {}).map(([name]) => name))
  const extras = propertiesOf(resolve(answer, schemas)).filter(([name]) => !common.has(name))
  return extras.length === 0
    ? ''
    : ` & {\n${extras.map(([name, field]) => printField(name, field, false)).join('')}}`
}

function printResult({ endpoint }: Call, answer: Schema, schemas: Schemas): string {
  const codes = endpoint.outcomes.map(outcome => outcomes[outcome])
  const done = codes.filter(isSuccess).join(' | ')
  const refused = codes.filter(code => !isSuccess(code)).join(' | ')
  const variants = [
    ...(done ? [`${endpoint.givesUid ? 'Made' : 'Done'}<${done}>`] : []),
    ...(refused ? [`Refused<${refused}>`] : []),
  ].join(' | ')
  const extras = printExtras(answer, schemas)
  return `Promise<${extras ? `(${variants})${extras}` : variants}>`
}

/** How an answer is read: `data` unless told. */
type AnswerKind = 'data' | 'list' | 'bytes' | 'plain'

function readAnswer(call: Call, schemas: Schemas): { kind: AnswerKind; type: string } {
  const content = call.operation.responses['200']?.content ?? {}
  if (call.endpoint.answerForm === 'bytes') {
    const plain = content['application/json']?.schema
    return plain
      ? { kind: 'plain', type: `Promise<${printType(plain)}>` }
      : { kind: 'bytes', type: 'Promise<Response>' }
  }
  const data = Object.fromEntries(propertiesOf(content['application/json']?.schema ?? {}))['data'] ?? {}
  if (call.endpoint.outcomes.length > 0) return { kind: 'data', type: printResult(call, data, schemas) }
  const fields = Object.fromEntries(propertiesOf(data))
  if (fields['items'] && fields['page'] && fields['size'])
    return { kind: 'list', type: `List<${printType((fields['items']['items'] ?? {}) as Schema)}>` }
  return { kind: 'data', type: `Promise<${printType(data)}>` }
}

function printMethod(call: Call, schemas: Schemas): string {
  const { name, endpoint, operation } = call
  const input = readInput(call, schemas)
  const twice = input.names.find((one, index) => input.names.indexOf(one) !== index)
  if (twice !== undefined) throw new Error(`${operation.operationId} has '${twice}' in two places`)
  const text = `${operation.summary} ${operation.description}\n\n\`${endpoint.method} ${endpoint.path}\``
  const parameter =
    input.names.length > 0 ? `input${input.isRequired ? '' : '?'}: ${printInput(input)}, ` : ''
  return `${commentOf(text)}${name}(${parameter}options?: CallOptions): ${readAnswer(call, schemas).type}\n`
}

/** What a program needs to make a call; what is not said is as for most calls. */
function printRow(call: Call, schemas: Schemas): string {
  const { group, name, endpoint, operation } = call
  const parameters = operation.parameters.flatMap(({ name: parameter, in: place, schema }) =>
    parameter !== undefined && schema !== undefined ? [{ parameter, place, schema }] : [],
  )
  const path = endpoint.path.replace('{x}', () => {
    const schema = parameters.find(({ parameter }) => parameter === 'x')?.schema ?? {}
    return `{${nameOfParameter('x', schema)}${isPick(schema) ? '=all' : ''}}`
  })
  const query = parameters.flatMap(({ parameter, place }) => (place === 'query' ? [parameter] : []))
  const body = operation.requestBody?.content
  const { kind } = readAnswer(call, schemas)
  const isUsers = endpoint.access.by === 'user'
  const isKeyed = isChange(endpoint) && endpoint.answerForm === 'json'
  return `${JSON.stringify({
    group,
    name,
    method: endpoint.method,
    path,
    ...(query.length > 0 ? { query } : {}),
    ...(body ? { body: 'multipart/form-data' in body ? 'form' : 'json' } : {}),
    ...(kind === 'data' ? {} : { answer: kind }),
    ...(isKeyed ? { isKeyed } : {}),
    ...(isKeyed || (isUsers && !isChange(endpoint)) || endpoint.method === 'GET' ? {} : { isOnce: true }),
    ...(readInput(call, schemas).names.length > 0 ? {} : { takesNothing: true }),
  })},\n`
}

const HEAD = `/*
 * Written from the contract by \`npm run docs:api\`; do not edit.
 */

`

const IMPORTS = `import type { List } from './list.ts'
import type { CallOptions, Operation } from './operation.ts'
import type { Done, Made, Refused } from './outcomes.ts'
`

const SCHEMA_REF = /#\/components\/schemas\/(\w+)/g
const RESULT_FIELDS = [
  'ReasonText',
  'FailedItem',
  'ImportFault',
  'Problem',
  'LiveLine',
  'MediaType',
  'SignedIn',
]

/** The schemas that calls refer to, also through others, and those that the client's own modules read. */
function reachedSchemas(calls: readonly Call[], schemas: Schemas): string[] {
  const found = new Set(RESULT_FIELDS)
  const noteRefs = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(SCHEMA_REF)) found.add(name)
  }
  for (const { operation } of calls)
    noteRefs([operation.parameters, operation.requestBody, operation.responses['200']])
  for (const name of found) noteRefs(schemas[name] ?? {})
  return [...found].toSorted()
}

function printSchema(name: string, schema: Schema): string {
  const type = printType(schema)
  const head = commentOf(schema['description'])
  return schema['type'] === 'object' && type.startsWith('{')
    ? `${head}export interface ${name} ${type}\n\n`
    : `${head}export type ${name} = ${type}\n\n`
}

async function formatSource(text: string): Promise<string> {
  const options = JSON.parse(
    readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'),
  ) as FormatConfig
  const { code, errors } = await format('api.ts', text, options)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return code
}

/** The calls of each noun. @throws Error for two calls with one name */
function groupCalls(calls: readonly Call[]): [string, Call[]][] {
  const groups = [...Map.groupBy(calls, ({ group }) => group)]
  for (const [group, ofGroup] of groups) {
    const names = ofGroup.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new Error(`Two calls are called ${group}.${twice}`)
  }
  return groups.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function printCalls(calls: readonly Call[], schemas: Schemas, names: readonly string[]): string {
  const groups = groupCalls(calls)
  const interfaces = groups.map(([group, ofGroup]) => {
    const methods = ofGroup.map(call => printMethod(call, schemas)).join('\n')
    return `export interface ${capital(group)}Calls {\n${methods}}\n\n`
  })
  const text = interfaces.join('')
  const used = names.filter(name =>
    new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')),
  )
  return [
    HEAD,
    IMPORTS,
    `import type { ${used.join(', ')} } from './schemas.ts'\n\n`,
    text,
    '/** The calls, by noun. */\nexport abstract class Api {\n',
    ...groups.map(([group]) => `declare readonly ${group}: ${capital(group)}Calls\n`),
    '}\n\nexport const operations: readonly Operation[] = [\n',
    ...calls.map(call => printRow(call, schemas)),
    ']\n',
  ].join('')
}

/** The text of each file of the client that is written. @throws Error where a call has no form that the client can express */
export async function makeClientFiles(): Promise<Record<string, string>> {
  const document = openApiOf(endpoints, { version: '', apiUrl: '', streamUrl: '' })
  const { schemas } = document.components as unknown as { schemas: Schemas }
  const calls = readCalls(document)
  const names = reachedSchemas(calls, schemas)
  const types = names.map(name => printSchema(name, schemas[name] ?? {})).join('')
  return {
    [SCHEMAS_FILE]: await formatSource(HEAD + types),
    [CALLS_FILE]: await formatSource(printCalls(calls, schemas, names)),
  }
}
