import { afterAll, expect, it } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { makeHttpServer } from '../http-server.ts'

const publicUrl = 'http://localhost:8080'
const origins = { publicUrl, streamUrl: 'http://stream.example', logsUrl: publicUrl }
const app = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins })
app.get('/item/open', async () => ({}))
afterAll(() => app.close())

it('sends the security headers', async () => {
  const { headers } = await app.inject('/item/open')
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['content-security-policy']).toContain('ws://stream.example')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).toContain("base-uri 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['strict-transport-security']).toBeUndefined()
})

it('lets the console reach the streaming hosts of all clients, and no other host', async () => {
  const byClient = { ...origins, streamUrl: 'https://{client}.stream.example' }
  const server = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins: byClient })
  const policy = String((await server.inject('/')).headers['content-security-policy'])
  const connect = policy.split(';').find(part => part.startsWith('connect-src'))
  expect(connect).toBe(
    `connect-src 'self' ${publicUrl} https://*.stream.example ws://localhost:8080 wss://*.stream.example ${publicUrl}`,
  )
  await server.close()
})

const ask = (method: 'GET' | 'OPTIONS', origin: string | null, more: Record<string, string> = {}) =>
  app.inject({ method, url: '/item/open', headers: { ...(origin === null ? {} : { origin }), ...more } })
const preflight = { 'access-control-request-method': 'PATCH' }
const listOf = (header: unknown) => String(header).split(', ')

it('another origin may be the console’s, where the streaming host has its own', async () => {
  const plain = await ask('GET', publicUrl)
  expect(plain.headers['access-control-allow-origin']).toBe(publicUrl)
  const answer = await ask('OPTIONS', publicUrl, preflight)
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PATCH, DELETE')
})

it('another origin may send and read what the console and tus need, refusals too', async () => {
  const { headers } = await ask('OPTIONS', publicUrl, preflight)
  const sent =
    'authorization content-type if-none-match tus-resumable upload-length upload-metadata upload-offset'
  expect(listOf(headers['access-control-allow-headers'])).toEqual(expect.arrayContaining(sent.split(' ')))
  const read =
    'content-disposition etag location retry-after tus-resumable upload-expires upload-length upload-offset'
  const missing = await app.inject({ url: '/nowhere', headers: { origin: publicUrl } })
  for (const answer of [await ask('GET', publicUrl), missing])
    expect(listOf(answer.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(read.split(' ')),
    )
  expect([missing.statusCode, missing.headers['access-control-allow-origin']]).toEqual([404, publicUrl])
})

it.each(['http://evil.example', 'null', `${publicUrl}.evil.example`, 'http://localhost:8081', '*', null])(
  'another origin is not %s',
  async origin => {
    for (const answer of [await ask('GET', origin), await ask('OPTIONS', origin, preflight)]) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      expect(answer.headers['vary']).toBe('Origin')
    }
    expect((await ask('OPTIONS', origin, preflight)).statusCode).toBeGreaterThanOrEqual(400)
  },
)

const [apiUrl, other] = ['https://api.example/floor', 'https://console.example']
const all = { publicUrl, streamUrl: publicUrl, logsUrl: publicUrl }

it.each([
  { what: 'one address', named: all, allowed: [], policy: 'same-origin' },
  {
    what: 'another address of the API',
    named: { ...all, apiUrl, logsUrl: apiUrl },
    allowed: [publicUrl],
    policy: 'cross-origin',
  },
  {
    what: 'a path of the same address',
    named: { ...all, apiUrl: `${publicUrl}/api` },
    allowed: [],
    policy: 'same-origin',
  },
  {
    what: 'CONSOLE_ORIGINS',
    named: { ...all, consoleOrigins: [other] },
    allowed: [other],
    policy: 'cross-origin',
  },
  {
    what: 'both',
    named: { ...all, apiUrl, consoleOrigins: [other] },
    allowed: [publicUrl, other],
    policy: 'cross-origin',
  },
])('who may call the server, and what its pages may load with $what', async ({ named, allowed, policy }) => {
  const isNamed = 'apiUrl' in named && named.apiUrl === apiUrl
  const takenFrom = new Set<string>(allowed)
  const server = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins: named })
  server.get('/item/open', async () => ({}))
  for (const origin of [publicUrl, other, 'https://api.example', 'null']) {
    const { headers } = await server.inject({ url: '/item/open', headers: { origin } })
    const isAllowed = takenFrom.has(origin)
    expect(headers['access-control-allow-origin']).toBe(isAllowed ? origin : undefined)
    expect(headers['cross-origin-resource-policy']).toBe(policy)
    const rules = String(headers['content-security-policy']).split(';')
    const loading = rules
      .filter(rule => rule.includes(' https://api.example'))
      .map(rule => rule.split(' ')[0])
    expect(loading).toEqual(isNamed ? ['img-src', 'media-src', 'connect-src'] : [])
    expect(rules.some(rule => rule.includes('wss://api.example'))).toBe(isNamed)
  }
  await server.close()
})
