import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeLog } from '../../log/log.ts'
import { makeHttpServer } from '../http-server.ts'
import { openAdmission } from './admission.ts'

test('a slow event loop takes places from the lowest priority in work', async () => {
  const address = 'http://localhost'
  const origins = { publicUrl: address, streamUrl: address, logsUrl: address }
  const log = makeLog('fatal')
  const app = await makeHttpServer({ log, trustProxy: false, origins })
  const { admission } = openAdmission(app, log)
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
