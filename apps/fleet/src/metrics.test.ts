import { expect, test } from 'vitest'
import { Metrics } from './metrics.ts'

test('without an answer, there are no times, and the line is still printed', () => {
  const metrics = new Metrics()
  expect(metrics.summary().heartbeats).toMatchObject({ p50: null, p95: null, p99: null })
  expect(metrics.line(3.2, 20)).toContain('0 of 20 connected')
})

test('a mark begins the counts again, except plays, events and holdings', () => {
  const metrics = new Metrics()
  metrics.plays += 2
  metrics.bytes.manifests += 100
  metrics.alerts.add(20)
  metrics.manifestsByCause.alert += 1
  metrics.addHolding({ uid: 'a', revision: 1 })
  metrics.addHolding({ uid: 'a', revision: 1 })
  metrics.addHolding({ uid: 'a', revision: 2 })
  expect(metrics.summary()).toMatchObject({ alerts: { received: 1, last: 20 }, bytes: { manifests: 100 } })
  metrics.mark()
  expect(metrics.summary()).toMatchObject({
    plays: 2,
    alerts: { received: 0, last: null },
    bytes: { manifests: 0 },
    manifests: { byCause: { alert: 0 } },
    publications: [
      { uid: 'a', revision: 1, devices: 2 },
      { uid: 'a', revision: 2, devices: 1 },
    ],
  })
})
