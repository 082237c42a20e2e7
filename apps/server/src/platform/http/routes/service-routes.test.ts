import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { openAdmission, showLoad } from '../admit/admission.ts'
import { makeHttpServer } from '../http-server.ts'
import { serveMetrics, serveService } from './service-routes.ts'

const publicUrl = 'https://shop.example'
const origins = { publicUrl, streamUrl: publicUrl, logsUrl: publicUrl }
const now = new Date('2026-11-28T12:00:00Z')

async function openServer(supportEmail: string | null) {
  const app = await makeHttpServer({ log: makeLog('fatal'), trustProxy: false, origins })
  serveService(app, {
    console: {
      version: '1.0.0',
      commit: null,
      apiBase: '',
      logsBase: '',
      manualBase: '',
      termsUrl: null,
      supportEmail,
      supportBot: null,
      registration: 'open',
      sendsMail: false,
    },
    publicUrl,
    now: () => now,
    findReasons: async () => [],
    mayAllow: [],
    probe: {
      isProbe: async () => false,
      isTrustedProxy: () => false,
      facts: () => ({ version: '1.0.0', commit: null, now, maxConnections: 1, filesForConnections: null }),
    },
  })
  return app
}

let app: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  app = await openServer('help@floor.example')
})
afterAll(() => app.close())

test('security.txt names the support address, and when it is to be asked for again', async () => {
  const { statusCode, headers, body } = await app.inject('/.well-known/security.txt')
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'public, max-age=86400',
  ])
  expect(body.split('\n')).toEqual([
    'Contact: mailto:help@floor.example',
    'Expires: 2027-05-28T00:00:00Z',
    expect.stringMatching(/^Preferred-Languages: ar, zh-Hans, de, en, /),
    'Canonical: https://shop.example/.well-known/security.txt',
    '',
  ])
})

test('without a support address there is no security.txt', async () => {
  const other = await openServer(null)
  expect((await other.inject('/.well-known/security.txt')).statusCode).toBe(404)
  await other.close()
})

test.each([
  { url: '/.well-known/change-password', status: 302, body: '', location: '/pages/profile' },
  { url: '/robots.txt', status: 200, body: 'User-agent: *\nDisallow: /\n' },
])('$url is for everybody', async ({ url, status, body, location }) => {
  const answer = await app.inject(url)
  expect([answer.statusCode, answer.body, answer.headers.location]).toEqual([status, body, location])
  expect(answer.headers['cache-control']).toBeDefined()
})

test('monitors with the token read the figures, strangers do not', async () => {
  const log = makeLog('fatal')
  const measured = await makeHttpServer({ log, trustProxy: false, origins })
  const load = openAdmission(measured, log)
  const metrics = new Metrics()
  showLoad(metrics, load)
  serveMetrics(measured, 'a-token-of-monitors', () => metrics.text())
  const readMetrics = (token: string) =>
    measured.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  await load.admission.run('alert', { clientId: '' }, () => undefined)
  expect((await readMetrics('')).statusCode).toBe(401)
  const { body } = await readMetrics('a-token-of-monitors')
  expect(body).toContain('floorcast_calls_admitted_total{priority="alert"} 1\n')
  expect(body).toMatch(/^floorcast_event_loop_delay_seconds [\d.]+$/m)
  await measured.close()
})
