import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeManifest, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, onTestFinished, test } from 'vitest'
import { makeHeardAlerts } from './alert-notices.ts'
import { makeManifestBook } from './manifest-store.ts'
import { makeStateStore } from './state-store.ts'
import { openStore } from './store.ts'

const beganAt = '2026-11-22T08:00:00.000Z'
const notice = (number: number) => ({ uid: uidOf(number), kind: 'air', beganAt })
const named = (number: number) => ({ ...notice(number), kind: 'air' as const, isDrill: false, file: null })

function openAlerts() {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-alerts-'))
  const store = openStore(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  const state = makeStateStore(store)
  const book = makeManifestBook(state)
  let generation = 0
  const take = (...numbers: number[]) => {
    generation += 1
    const manifest = makeManifest({ generation, alerts: numbers.map(named) })
    book.take({ etag: `"${generation}"`, manifest }, 0)
  }
  const alerts = makeHeardAlerts(state, book)
  const open = (of = alerts) => of.open().map(({ uid }) => uid)
  return { alerts, open, take, again: () => makeHeardAlerts(state, book) }
}

test('An answer begins and ends what no manifest names; it is kept over a restart', () => {
  const { alerts, open, again } = openAlerts()
  expect(alerts.hearAll([notice(1), notice(2)])).toHaveLength(2)
  expect(alerts.hearAll([notice(2)])).toEqual([])
  expect(open()).toEqual([uidOf(2)])
  expect(open(again())).toEqual([uidOf(2)])
  alerts.hearAll([])
  expect(open(again())).toEqual([])
})

test('An alert of the channel lasts until a manifest that was asked for later, whatever a late answer says', () => {
  const { alerts, open, take } = openAlerts()
  const early = alerts.mark()
  expect([alerts.hearOne(notice(1)), alerts.hearOne(notice(1))]).toEqual([true, false])
  alerts.hearAll([])
  early.settle()
  expect(open()).toEqual([uidOf(1)])
  const later = alerts.mark()
  take(1)
  later.settle()
  expect(open()).toEqual([])
})

test('What a manifest named or refuted and names no longer is never begun again by a late answer', () => {
  const { alerts, open, take } = openAlerts()
  take(1)
  expect(alerts.hearAll([notice(1)])).toEqual([])
  take()
  expect(alerts.hearAll([notice(1)])).toEqual([])
  expect(alerts.hearAll([notice(2)])).toHaveLength(1)
  alerts.mark().settle()
  expect(alerts.hearAll([notice(1), notice(2)])).toEqual([])
  expect(open()).toEqual([])
})
