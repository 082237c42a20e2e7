import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { serveConsole } from './console-files.ts'
import { makeHttpServer } from '../http-server.ts'

/** The folder's own name must not make its files immutable. */
const parent = mkdtempSync(join(tmpdir(), 'floorcast-console-'))
const folder = join(parent, 'assets/dist')
const PAGE = '<!doctype html><title>Floorcast</title>'
const SCRIPT = 'console.log(1)'
const origins = {
  publicUrl: 'https://shop.example',
  streamUrl: 'https://shop.example',
  logsUrl: 'https://shop.example',
}
const ICON = new URL('../../../../../console/public/favicon.ico', import.meta.url)
const makeServer = () => makeHttpServer({ log: makeLog('fatal'), trustProxy: false, origins })

let app: Awaited<ReturnType<typeof makeServer>>
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'assets/app-1a2b3c.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(SCRIPT))
  for (const code of ['de', 'en']) {
    mkdirSync(join(folder, 'manual', code), { recursive: true })
    writeFileSync(join(folder, 'manual', code, 'index.html'), `<title>${code}</title>`)
  }
  writeFileSync(join(folder, 'manual/en/publish.html'), '<title>Publish</title>')
  copyFileSync(ICON, join(folder, 'favicon.ico'))
  app = await makeServer()
  await serveConsole(app, folder)
})
afterAll(async () => {
  await app.close()
  rmSync(parent, { recursive: true })
})
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
/** For paths that `inject` takes for another host. */
const port = async () => {
  if (!app.server.listening) await app.listen({ port: 0 })
  return (app.server.address() as AddressInfo).port
}
const browse = (url: string) => get(url, { accept: 'text/html,*/*' })

it.each(['/', '/login', '/media/videosOne/7', '/equipments/devices?page=2', '/Home/', '/security/debug/7'])(
  'the console is at %s',
  async url => {
    const { statusCode, body, headers } = await browse(url)
    expect([statusCode, body, headers['cache-control']]).toEqual([200, PAGE, 'no-cache'])
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    expect(headers['content-security-policy']).toContain("base-uri 'none'")
  },
)

it('the console has an icon for what names none, of three sizes, that is asked for again when it has changed', async () => {
  const { statusCode, headers, rawPayload } = await get('/favicon.ico')
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/vnd.microsoft.icon',
    'no-cache',
  ])
  expect([...rawPayload.subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0])
  const again = await get('/favicon.ico', { 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

it.each(['//any.host/..', '//any.host/../', '//', '///login'])('the console is not at %s', async path => {
  const answered = await once(
    request({ port: await port(), path, headers: { accept: 'text/html' } }).end(),
    'response',
  )
  const [answer] = answered as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(404)
})

it.each([
  ['/', 200],
  ['/equipments/devices', 200],
  ['/nowhere', 404],
  ['/assets/app-1a2b3c.js', 200],
])('the console answers the head of %s alone', async (url, status) => {
  const answer = await app.inject({ method: 'HEAD', url, headers: { accept: 'text/html,*/*' } })
  expect([answer.statusCode, answer.body]).toEqual([status, ''])
  expect(answer.headers['content-length']).toBe((await browse(url)).headers['content-length'])
})

it.each([
  '/nowhere',
  '/media/nothing',
  '/media/videosOne',
  '/media/videosOne/',
  '/media/videosOne/7/8',
  '/x/login',
])('the console shows its own not-found at %s, with 404', async url => {
  const { statusCode, body } = await browse(url)
  expect([statusCode, body]).toEqual([404, PAGE])
})

it.each(['*/*', undefined, 'image/png,*/*;q=0.5'])(
  'the console is at /login for Accept: %s',
  async accept => {
    const { statusCode, body } = await get('/login', accept ? { accept } : {})
    expect([statusCode, body]).toEqual([200, PAGE])
  },
)

it('the console is no answer to who asks for JSON, or by a method that an address does not take', async () => {
  expect((await get('/login', { accept: 'application/json' })).statusCode).toBe(404)
  for (const url of ['/', '/login']) {
    const answer = await app.inject({ method: 'POST', url })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})

it('the console is no answer to a call', async () => {
  for (const answer of [
    await browse('/api/v2/nowhere'),
    await get('/nowhere', { accept: 'application/json' }),
  ])
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
})

it('the console has assets that are kept for ever, compressed ahead', async () => {
  const plain = await get('/assets/app-1a2b3c.js')
  expect([plain.body, plain.headers['cache-control']]).toEqual([
    SCRIPT,
    'public, max-age=31536000, immutable',
  ])
  const packed = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'br' })
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
  })
  expect((await get('/assets/gone-9.js', { accept: '*/*' })).statusCode).toBe(404)
})

it.each([
  '/../package.json',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
  '/assets/%2e%2e%2findex.html',
])('the console serves nothing outside its folder: %s', async url => {
  expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400)
})

it('the console not built: the API alone', async () => {
  const bare = await makeServer()
  await serveConsole(bare, join(folder, 'nothing'))
  expect((await bare.inject({ url: '/', headers: { accept: 'text/html' } })).statusCode).toBe(404)
  await bare.close()
})

const leadsTo = async (url: string, language = 'de-AT,en;q=0.5') => {
  const { statusCode, headers } = await get(url, { 'accept-language': language })
  return [statusCode, headers.location]
}

it.each(['/manual', '/manual/', '/manual/xx'])(
  'the manual at %s is in the language of the reader',
  async url => {
    const first = await get(url)
    expect([first.statusCode, first.headers.location === undefined]).toEqual([302, false])
    expect(await leadsTo('/manual/')).toEqual([302, '/manual/de/'])
    expect(await leadsTo('/manual/', 'is')).toEqual([302, '/manual/en/'])
  },
)

it('the manual has its list of pages and its pages in a language, and English in the place of a page that this has not', async () => {
  expect(await leadsTo('/manual/de')).toEqual([302, '/manual/de/'])
  expect((await get('/manual/de/')).body).toBe('<title>de</title>')
  expect((await browse('/manual/en/publish')).body).toBe('<title>Publish</title>')
  expect(await leadsTo('/manual/de/publish')).toEqual([302, '/manual/en/publish'])
})

it.each([
  '/manual/en/nothing',
  '/manual/en/..%2f..%2findex',
  '/manual/en/__proto__',
  '/manual/constructor/publish/x',
])('the manual answers %s with the page that says so', async url => {
  const { statusCode, body } = await browse(url)
  expect([statusCode, body]).toEqual([404, PAGE])
})
