import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { serveApiDocs } from './api-docs.ts'
import { makeHttpServer } from '../http-server.ts'

const url = 'http://localhost:8080'
const origins = { publicUrl: url, streamUrl: url, logsUrl: url }
const app = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins })
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
