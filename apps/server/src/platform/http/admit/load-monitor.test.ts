import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { makeHttpServer } from '../http-server.ts'
import { openLoadMonitor, serveMetrics } from './load-monitor.ts'

const TOKEN = 'a-token-of-monitors'

async function makeServer() {
  const address = 'http://localhost'
  const origins = { publicUrl: address, streamUrl: address, logsUrl: address }
  const log = makeLog('fatal')
  const app = await makeHttpServer({ log, trustProxy: false, origins })
  const monitor = openLoadMonitor(app, log)
  serveMetrics(app, TOKEN, monitor.metrics)
  const readMetrics = (token: string) =>
    app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  return { app, readMetrics, admission: monitor.admission }
}

test('monitors with the token read the figures, strangers do not', async () => {
  const { app, readMetrics, admission } = await makeServer()
  await admission.run('alert', { clientId: '' }, () => undefined)
  expect((await readMetrics('')).statusCode).toBe(401)
  const { body } = await readMetrics(TOKEN)
  expect(body).toContain('floorcast_calls_admitted_total{priority="alert"} 1\n')
  expect(body).toMatch(/^floorcast_event_loop_delay_seconds [\d.]+$/m)
  await app.close()
})

test('a slow event loop takes places from the lowest priority in work', async () => {
  const { app, admission } = await makeServer()
  const work = Promise.withResolvers<void>()
  const call = admission.run('manifest', { clientId: '' }, () => work.promise)
  await vi.waitFor(
    async () => {
      const end = performance.now() + 70
      while (performance.now() < end);
      await pause(1)
      expect(admission.states().manifest.places).toBeLessThan(64)
    },
    { timeout: 10_000, interval: 1 },
  )
  work.resolve()
  await call
  await app.close()
})
