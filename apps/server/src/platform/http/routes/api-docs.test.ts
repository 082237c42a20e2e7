import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { problemCodes } from '@floorcast/contract/problem-codes.ts'
import { reasons } from '@floorcast/contract/outcomes.ts'
import { afterAll, expect, test } from 'vitest'
import { problemTexts } from '../../lib/problem-texts.ts'
import { makeLog } from '../../log/log.ts'
import { serveApiDocs } from './api-docs.ts'
import { makeHttpServer } from '../http-server.ts'
import { serveProblemPages } from './problem-pages.ts'

const url = 'http://localhost:8080'
const origins = { publicUrl: url, streamUrl: url, logsUrl: url }
const app = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins })
serveProblemPages(app)
await serveApiDocs(app, { version: '1.0.0', apiUrl: url, streamUrl: url })
afterAll(() => app.close())

const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers })

test.each(['/openapi.json', '/docs/', '/docs/static/swagger-ui-bundle.js', '/docs/static/swagger-ui.css'])(
  '%s is compressed and kept by the browser',
  async path => {
    const plain = await get(path)
    const { etag = '' } = plain.headers
    expect([plain.statusCode, plain.headers['cache-control']]).toEqual([200, 'public, max-age=86400'])
    const [br, gzipped] = [
      await get(path, { 'accept-encoding': 'gzip, br' }),
      await get(path, { 'accept-encoding': 'gzip' }),
    ]
    expect([br, gzipped].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(br.headers['content-type']).toBe(plain.headers['content-type'])
    const again = await get(path, { 'if-none-match': String(etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  },
)

test('what is not there is not kept', async () => {
  expect((await get('/docs/static/nothing.js')).statusCode).toBe(404)
})

test('HEAD tells the length', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/openapi.json' })
  expect([head.statusCode, head.body]).toEqual([200, ''])
})

test('each error leads by its type to a page that says what to do, and one page lists them', async () => {
  const unknown = await get('/problems/no-such-code')
  expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { code: 'no-such-call' }])
  const { type } = unknown.json<{ type: string }>()
  const page = await get(type)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).toContain('<a href="/problems">')
  expect(page.body).toContain(problemTexts['no-such-call'].remedy)
  expect((await get('/problems/wrong-fields')).body).toContain('<code>errors</code>')
  const list = (await get('/problems')).body
  for (const code of problemCodes) expect(list).toContain(`<a href="/problems/${code}">`)
})

interface ApiDocument {
  paths: Record<string, Record<string, { parameters: object[]; responses: object }>>
  components: { schemas: Record<string, object> }
}
const readDocument = async () => (await get('/openapi.json')).json<ApiDocument>()

test('the document lists the codes of errors, of fields and of refused changes', async () => {
  const { schemas } = (await readDocument()).components
  const enumOf = (name: string, field: string) => ({
    [name]: { properties: { [field]: { enum: expect.any(Array) as string[] } } },
  })
  expect(schemas).toMatchObject({ ...enumOf('Problem', 'code'), ...enumOf('FieldError', 'message') })
  expect(schemas['ReasonText']).toMatchObject({ enum: [...reasons] })
  expect(schemas['Problem']).toMatchObject({ properties: { code: { enum: problemCodes } } })
})

test('the document names the schemas, and describes them and their fields as the contract does', async () => {
  const { paths, components } = await readDocument()
  const list = paths['/group/qlist/{x}']?.['get']
  expect(JSON.stringify(list?.responses)).toContain('"#/components/schemas/GroupRow"')
  expect(list?.parameters).toContainEqual(
    expect.objectContaining({ name: 'page', in: 'query', description: 'Which page, from 1.' }),
  )
  expect(components.schemas['Instant']).toMatchObject({ description: 'A moment: ISO 8601 in UTC with Z.' })
  expect(components.schemas['Outcome']).toMatchObject({
    properties: { remaining: { description: expect.any(String) as string } },
  })
  // A body refuses unknown fields, and has the schemas of answers where both are alike.
  expect(JSON.stringify(paths['/group/add/{contentType}'])).toContain('"#/components/schemas/GroupDraft"')
})

test('each change takes a key, and no read does', async () => {
  const { paths } = await readDocument()
  const key = { $ref: '#/components/parameters/IdempotencyKey' }
  expect(paths['/group/add/{contentType}']?.['post']?.parameters).toContainEqual(key)
  expect(paths['/action/group/{id}/changestate']?.['get']?.parameters).toContainEqual(key)
  expect(paths['/group/qcard/{id}']?.['get']?.parameters).not.toContainEqual(key)
})

test('the document takes less than 80 kB on the line', async () => {
  const packed = await get('/openapi.json', { 'accept-encoding': 'gzip, br' })
  expect(packed.rawPayload.length).toBeLessThan(80_000)
})
