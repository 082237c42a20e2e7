import { expect, it } from 'vitest'
import { z } from 'zod'
import { buildPath } from './client.ts'
import { endpoints } from './endpoints.ts'
import { Description, Name } from './fields.ts'
import { outcomes } from './outcomes.ts'

it('the contract describes each call once', () => {
  const calls = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  expect(new Set(calls).size).toBe(calls.length)
  expect(calls.length).toBeGreaterThan(50)
})

it('the contract declares a schema for each parameter of a path, and no other', () => {
  for (const { name, endpoint } of endpoints) {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '').sort()
    const shape = 'shape' in endpoint.params ? Object.keys(endpoint.params.shape as object).sort() : []
    expect(shape, name).toEqual(inPath)
  }
})

// A form of the console hands both to a call in one object.
it('the contract has no name in the path of a call and in its body', () => {
  const twice = endpoints.flatMap(({ name, endpoint }) => {
    const fields = 'shape' in endpoint.body ? Object.keys(endpoint.body.shape as object) : []
    return fields.filter(field => endpoint.path.includes(`{${field}}`)).map(field => `${name}: ${field}`)
  })
  expect(twice).toEqual([])
})

it('the contract refuses unknown fields of users at every depth, but for what browsers add', () => {
  const openIn = (schema: unknown, path: string): string[] => {
    if (typeof schema !== 'object' || schema === null) return []
    const isOpen = 'properties' in schema && !('additionalProperties' in schema)
    const isLoose = 'additionalProperties' in schema && JSON.stringify(schema.additionalProperties) === '{}'
    return [
      ...(isOpen || (isLoose && 'properties' in schema) ? [path] : []),
      ...Object.entries(schema).flatMap(([name, inner]) => openIn(inner, `${path}.${name}`)),
    ]
  }
  const open = endpoints.flatMap(({ noun, name, endpoint }) =>
    endpoint.unknownFields === 'ignored'
      ? []
      : (['query', 'body', 'form'] as const).flatMap(part =>
          openIn(
            z.toJSONSchema(endpoint[part], { io: 'input', unrepresentable: 'any' }),
            `${noun}.${name} ${part}`,
          ),
        ),
  )
  const credential = 'body.properties.credential'
  expect(open).toEqual(
    ['passkeys.signInByPasskey', 'passkeys.addPasskey'].flatMap(call => [
      `${call} ${credential}`,
      `${call} ${credential}.properties.clientExtensionResults`,
      `${call} ${credential}.properties.response`,
    ]),
  )
})

it('the contract declares the refusal code where a status call may be refused by rights', () => {
  for (const { name, endpoint } of endpoints)
    if (endpoint.access.by === 'user' && endpoint.access.refusal === 'code')
      expect(endpoint.outcomes, name).toContain('notAllowed')
})

it('the contract lets users with the right to view call only what reads, or changes their own account', () => {
  const calls = endpoints.filter(
    ({ endpoint: { access, method } }) =>
      access.by === 'user' && !access.changes && method !== 'GET' && method !== 'HEAD',
  )
  expect(calls.map(({ endpoint: { method, path } }) => `${method} ${path}`).toSorted()).toEqual([
    'POST /api/v2/bulk/devices/preview',
    'POST /api/v2/bulk/groups/preview',
    'POST /api/v2/bulk/media/{contentType}/preview',
    'POST /api/v2/bulk/playlists/preview',
    'POST /api/v2/bulk/publications/preview',
    'POST /api/v2/bulk/recycle/{x}/preview',
    'POST /api/v2/deploy/publish/preview',
    'POST /api/v2/profile/save',
    'POST /api/v2/second-factor/begin',
    'POST /api/v2/second-factor/confirm',
    'POST /api/v2/second-factor/passkeys/add',
    'POST /api/v2/second-factor/passkeys/begin',
    'POST /api/v2/second-factor/passkeys/{uid}/remove',
    'POST /api/v2/second-factor/recovery-codes',
    'POST /api/v2/second-factor/remove',
    'POST /api/v2/session/end',
    'POST /api/v2/sessions/endothers',
    'POST /api/v2/sessions/{uid}/end',
    'POST /api/v2/streaming/session',
    'POST /api/v2/ticket',
    'POST /api/v2/users/password',
    'POST /api/v2/views/add',
    'POST /api/v2/views/delete',
    'POST /api/v2/views/edit',
  ])
})

it('the contract answers a refusal by rights with 403, but for the status calls of the specification', () => {
  const calls = endpoints.filter(
    ({ endpoint: { access } }) => access.by === 'user' && access.refusal === 'code',
  )
  for (const { endpoint } of calls)
    expect(endpoint.path).toMatch(/\/(changestate|staterotate|delaystart\/\{startdatetime\})$/)
})

it('the contract says of each call that turns a state what two of them at once do', () => {
  const turns = endpoints.filter(({ endpoint }) => /\/(changestate|staterotate)$/.test(endpoint.path))
  expect(turns).toHaveLength(7)
  for (const { endpoint } of turns)
    expect(z.toJSONSchema(endpoint.query, { io: 'input' })).toMatchObject({
      properties: { from: { description: expect.stringContaining('two calls at once') as string } },
    })
})

it('the contract gives each outcome a different code', () => {
  expect(new Set(Object.values(outcomes)).size).toBe(Object.keys(outcomes).length)
})

it('a text takes letters of every script and trims', () => {
  expect(Name.parse('  Магазин №'.replace('№', '1') + '  ')).toBe('Магазин 1')
  expect(Name.parse('متجر الرياض')).toBe('متجر الرياض')
  expect(Name.parse('上海店铺')).toBe('上海店铺')
})

it.each(['', 'ab', 'x'.repeat(51), 'a<b>c', 'line\nbreak', 'tab\there', 'emoji 🎵 name'])(
  'names and descriptions refuses the name %j',
  text => {
    expect(Name.safeParse(text).success).toBe(false)
  },
)

it('a text counts code points, not units', () => {
  expect(Name.safeParse('𝒜𝒷').success).toBe(false)
  expect(Name.safeParse('𐐀𐐁𐐂').success).toBe(true)
})

it('a text takes an empty description, and refuses a short one', () => {
  expect(Description.safeParse('').success).toBe(true)
  expect(Description.safeParse('ab').success).toBe(false)
  expect(Description.safeParse('Ads (20 %) for: "spring"; №1?').success).toBe(true)
})

it('a text takes lines of a description that end in a line feed alone', () => {
  expect(Description.safeParse('first line\nsecond line').success).toBe(true)
  for (const text of ['first line\r\nsecond line', 'first line\rsecond line'])
    expect(Description.safeParse(text).success).toBe(false)
})

it('a path encodes parameters and leaves out empty query values', () => {
  expect(buildPath('/a/{x}/b', { x: 'é/1' }, { page: 2, search: '', sort: undefined })).toBe(
    '/a/%C3%A9%2F1/b?page=2',
  )
})
