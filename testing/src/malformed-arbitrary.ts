/**
 * Requests that no call of the contract accepts, for every call. Each is a valid sample of a call, about existing items
 * and with a token that may do everything, of which one part is then made wrong: a parameter, a query, a field however
 * deep, the JSON, the form, the type, the method, the path, the token. The contract's schema decides what is malformed,
 * so a request that succeeds is a fault, without exceptions.
 */
import { buildPath } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { isSuccess } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import fc from 'fast-check'
import {
  type FixtureUids,
  inputSchema,
  isTaken,
  type NamedEndpoint,
  type SampleCall,
  sampleCall,
} from './sample-calls.ts'

export interface MalformedRequest {
  /** The call's name in the contract and what is wrong with the request. */
  title: string
  by: Endpoint['access']['by']
  method: string
  url: string
  headers: Record<string, string>
  payload: string | Buffer | null
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  2 ** 53,
  1e308,
  0.5,
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\u202eright to left',
  '<b>bold</b>',
  "' or 1=1 --",
  '../../etc/passwd',
  '%00',
  '0000-01-01T00:00:00Z',
  'x'.repeat(5000),
  [],
  {},
  [[[[[[[[]]]]]]]],
]
/** The schema of a call may take all that is made: then the search ends. */
const MAX_TRIES = 10_000

/** Whether the schema of the call refuses what was made of it. */
function refusalOf({ noun, name, endpoint }: NamedEndpoint): (call: SampleCall) => boolean {
  let taken = 0
  return call => {
    taken = isTaken(endpoint, call) ? taken + 1 : 0
    if (taken > MAX_TRIES) throw new Error(`The schema of ${noun}.${name} refuses nothing that was made`)
    return taken === 0
  }
}

/** Any code point. fast-check's own unit `binary` first builds a map of all of them, which takes seconds. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map(number => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))

const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 60 }) },
)
const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE.filter(value => typeof value === 'string' && value.length < 100)),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 60 }),
) as fc.Arbitrary<string>

/** Text that is not JSON, after any beginning. */
const brokenJson = fc.oneof(
  fc.constantFrom(
    '{',
    '{"uid": ',
    '[1,',
    '{"name": "x",}',
    "{'uid': 1}",
    'NaN',
    '\uFEFF{',
    '{"__proto__": {"isAdmin": true}}',
  ),
  fc.json({ maxDepth: 2 }).map(text => `${text}}`),
  fc.string({ minLength: 1, maxLength: 80 }).map(text => `<${text}`),
)

const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'multipart/form-data',
  'multipart/mixed; boundary=x',
  ';',
  'application/json/json',
]
const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const NO_TOKENS = [
  'Bearer',
  'Bearer ',
  'Bearer \t',
  'Basic YTpi',
  'Bearer a b',
  'bearer null',
  `Bearer ${'x'.repeat(3000)}`,
  'Token x',
  '',
]

type Kind = (one: NamedEndpoint, sample: SampleCall) => fc.Arbitrary<Omit<MalformedRequest, 'title' | 'by'>>

const ofCall = ({ endpoint }: NamedEndpoint, { params, query, body }: SampleCall) => ({
  method: endpoint.method,
  url: buildPath(endpoint.path, params, query),
  headers: endpoint.bodyForm === 'json' ? { 'content-type': 'application/json' } : {},
  payload: endpoint.bodyForm === 'json' ? JSON.stringify(body) : null,
})

/** One value of `values`, however deep, is replaced, or left out (undefined). */
function replaceAt(value: unknown, picks: readonly number[], by: unknown): unknown {
  const [pick = 0, ...deeper] = picks
  if (typeof value !== 'object' || value === null || picks.length === 0) return by
  const keys = Object.keys(value)
  if (keys.length === 0) return by
  const at = keys[pick % keys.length] ?? ''
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    key === at ? replaceAt(inner, deeper, by) : inner,
  ])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
const picks = fc.array(fc.nat(20), { minLength: 0, maxLength: 3 })

const KINDS: Record<string, { suits: (one: NamedEndpoint) => boolean; make: Kind }> = {
  'a wrong parameter': {
    suits: ({ endpoint }) => endpoint.path.includes('{'),
    make: (one, sample) =>
      fc
        .tuple(fc.constantFrom(...Object.keys(sample.params)), hostileText)
        .map(([name, text]) => ({ ...sample, params: { ...sample.params, [name]: text.toWellFormed() } }))
        .filter(refusalOf(one))
        .map(call => ofCall(one, call)),
  },
  'a wrong query': {
    suits: ({ endpoint }) =>
      Object.keys(inputSchema(endpoint.query).properties ?? {}).some(name => name !== 'ticket'),
    make: (one, sample) => {
      const names = Object.keys(inputSchema(one.endpoint.query).properties ?? {})
      return fc
        .tuple(fc.constantFrom(...names), hostileText)
        .map(([name, text]) => ({ ...sample, query: { [name]: text.toWellFormed() } }))
        .filter(call => call.query[Object.keys(call.query)[0] ?? ''] !== '')
        .filter(refusalOf(one))
        .map(call => ofCall(one, call))
    },
  },
  'a wrong body': {
    suits: ({ endpoint }) => endpoint.bodyForm === 'json' && !endpoint.body.safeParse({}).success,
    make: (one, sample) =>
      fc
        .tuple(picks, fc.option(hostile, { nil: undefined }))
        .map(([where, value]) => replaceAt(sample.body, where, value))
        .map(body => ({ ...sample, body: JSON.parse(JSON.stringify(body ?? null)) as unknown }))
        .filter(refusalOf(one))
        .map(call => ofCall(one, call)),
  },
  'no JSON': {
    suits: ({ endpoint }) => endpoint.method === 'POST' && endpoint.bodyForm !== 'multipart',
    make: (one, sample) =>
      brokenJson.map(payload => ({
        ...ofCall(one, sample),
        headers: { 'content-type': 'application/json' },
        payload,
      })),
  },
  'another content type': {
    suits: ({ endpoint }) => endpoint.method === 'POST' && endpoint.bodyForm !== 'multipart',
    make: (one, sample) =>
      fc.tuple(fc.constantFrom(...OTHER_TYPES), hostileText).map(([type, text]) => ({
        ...ofCall(one, sample),
        headers: { 'content-type': type },
        payload: text,
      })),
  },
  'no form': {
    suits: ({ endpoint }) => endpoint.bodyForm === 'multipart',
    make: (one, sample) =>
      fc
        .tuple(
          fc.constantFrom(
            'multipart/form-data',
            'multipart/form-data; boundary=',
            'multipart/form-data; boundary=cut',
            'application/json',
            'text/plain',
          ),
          fc.oneof(
            fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
            brokenForm,
          ),
        )
        .map(([type, payload]) => ({ ...ofCall(one, sample), headers: { 'content-type': type }, payload })),
  },
  'another method': {
    // Those of a resumable upload are tus's own.
    suits: ({ noun }) => noun !== 'uploads',
    make: (one, sample) =>
      fc
        .constantFrom(...OTHER_METHODS)
        .map(method => ({ ...ofCall(one, sample), method, payload: null, headers: {} })),
  },
  'another path': {
    suits: () => true,
    make: (one, sample) =>
      fc
        .constantFrom(
          '/%',
          '/%E0%A4%A',
          '%00',
          '/../x',
          '//',
          '/x'.repeat(60),
          `/${'x'.repeat(300)}`,
          '%ff',
          '\\..',
          ';x=1',
        )
        .map(tail => ({
          ...ofCall(one, sample),
          url: `${buildPath(one.endpoint.path, sample.params)}${tail}`,
        })),
  },
  'no token': {
    suits: ({ endpoint }) => endpoint.access.by !== 'public',
    make: (one, sample) =>
      fc.constantFrom(...NO_TOKENS).map(authorization => ({
        ...ofCall(one, sample),
        headers: { ...ofCall(one, sample).headers, authorization },
      })),
  },
}

/** A form that ends in the middle, or whose parts are broken. */
const brokenForm = fc
  .tuple(
    fc.constantFrom('file', 'uid', 'name', 'preview', '', '"', 'x'.repeat(300)),
    hostileText,
    fc.nat(400),
  )
  .map(([name, text, end]) => {
    const head = `--cut\r\ncontent-disposition: form-data; name="${name}"; filename="a.mp3"\r\n\r\n${text}\r\n`
    return Buffer.from(`${head}--cut\r\ncontent-disposition: form-data`.slice(0, end))
  })

/** A request about the items of `fixtures` with one fault. */
export const malformedRequest = (fixtures: FixtureUids): fc.Arbitrary<MalformedRequest> =>
  fc.constantFrom(...endpoints).chain(one =>
    fc
      .constantFrom(...Object.entries(KINDS).filter(([, { suits }]) => suits(one)))
      .chain(([what, { make }]) =>
        make(one, sampleCall(one, fixtures)).map(request => ({
          ...request,
          title: `${one.noun}.${one.name}: ${what}`,
          by: one.endpoint.access.by,
        })),
      ),
  )

/** Why a malformed request may not get this answer; null if it may: a problem, or a refusal in its code. */
export function whyNotRefused({ statusCode, body }: { statusCode: number; body: string }): string | null {
  if (statusCode >= 500) return `a fault: ${statusCode}`
  // HEAD is answered without a body.
  if (statusCode >= 400 && body === '') return null
  if (statusCode >= 400) return Problem.safeParse(JSON.parse(body)).success ? null : 'no problem+json'
  const { data } = JSON.parse(body) as { data?: { code?: number } }
  return data?.code === undefined || isSuccess(data.code) ? `taken: ${statusCode} ${body}` : null
}
