import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeManifest, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, onTestFinished, test } from 'vitest'
import { makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { makeManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { makeStateStore } from './state-store.ts'
import { openStore } from './store.ts'

const beganAt = '2026-11-22T08:00:00.000Z'
const notice = (number: number) => ({ uid: uidOf(number), kind: 'air', beganAt, isDrill: false, sound: null })
const named = (number: number) => ({ uid: uidOf(number), kind: 'air', beganAt, isDrill: false, file: null })

function openAlerts() {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-alerts-'))
  const store = openStore(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  const state = makeStateStore(store)
  const manifests = makeManifestStore(state)
  let generation = 0
  const take = (...numbers: number[]) => {
    generation += 1
    const manifest = makeManifest({ generation, alerts: numbers.map(named) })
    manifests.save({ etag: `"${generation}"`, manifest, programmes: new Map() }, 0)
  }
  const alerts = makeAlertNotices(state, manifests)
  const open = (of = alerts) => of.open().map(({ uid }) => uid)
  return { alerts, open, take, again: () => makeAlertNotices(state, manifests) }
}

test('An answer starts and ends alerts that no manifest contains, and they survive a restart', () => {
  const { alerts, open, again } = openAlerts()
  expect(alerts.applyAnswer([notice(1), notice(2)])).toHaveLength(2)
  expect(alerts.applyAnswer([notice(2)])).toEqual([])
  expect(open()).toEqual([uidOf(2)])
  expect(open(again())).toEqual([uidOf(2)])
  alerts.applyAnswer([])
  expect(open(again())).toEqual([])
})

test('An alert from the channel lasts until a manifest that was requested later, despite a late answer', () => {
  const { alerts, open, take } = openAlerts()
  const early = alerts.beginFetch()
  expect([alerts.applyMessage(notice(1)), alerts.applyMessage(notice(1))]).toEqual([true, false])
  alerts.applyAnswer([])
  early.complete()
  expect(open()).toEqual([uidOf(1)])
  const later = alerts.beginFetch()
  take(1)
  later.complete()
  expect(open()).toEqual([])
})

test('A late answer does not restart an alert that a manifest has ended', () => {
  const { alerts, open, take } = openAlerts()
  take(1)
  expect(alerts.applyAnswer([notice(1)])).toEqual([])
  take()
  expect(alerts.applyAnswer([notice(1)])).toEqual([])
  expect(alerts.applyAnswer([notice(2)])).toHaveLength(1)
  alerts.beginFetch().complete()
  expect(alerts.applyAnswer([notice(1), notice(2)])).toEqual([])
  expect(open()).toEqual([])
})

test('An alert is met once, wherever the device learns of it first', () => {
  const { alerts, take } = openAlerts()
  const met: string[] = []
  alerts.onMet(({ uid }) => met.push(uid))
  take(1)
  alerts.applyAnswer([notice(1), notice(2)])
  alerts.applyMessage(notice(3))
  take(1, 2, 3)
  alerts.applyMessage(notice(1))
  alerts.applyEnd(uidOf(3))
  take(1, 3)
  expect(met).toEqual([uidOf(1), uidOf(2), uidOf(3)])
})
