import { endOtherSessions, endOwnSession, listOwnSessions } from '@floorcast/contract/sessions.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer, refusal } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { SessionsPanel } from './sessions-panel.tsx'

const now = '2026-06-10T22:30:00.000Z'
const sessionOf = (n: number, userAgent: string) => ({
  uid: `0193a1f0-0000-7000-8000-0000000000a${n}`,
  createdAt: now,
  lastUsedAt: now,
  address: `192.0.2.${n}`,
  userAgent,
  isCurrent: n === 1,
})
const own = sessionOf(1, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36')
const phone = sessionOf(2, 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0')
const tablet = sessionOf(3, 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')

const panel = page.getByRole('region', { name: 'Active sessions' })
const items = () => panel.getByRole('listitem').elements()
const endPhone = panel.getByRole('button', { name: 'Sign out: Firefox on Android' })
const endOthers = panel.getByRole('button', { name: 'Sign out all others' })

let server: FakeServer
let sessions: (typeof own)[]
beforeEach(async () => {
  await loadWords('account')
  sessions = [own, phone, tablet]
  server = new FakeServer()
  server.answer(listOwnSessions, () => sessions)
  server.answer(endOwnSession, () => {
    sessions = [own, tablet]
    return { code: 200 }
  })
  server.answer(endOtherSessions, () => {
    sessions = [own]
    return { code: 200 }
  })
})
const changes = () => server.calls.map(({ call }) => call).filter(call => call.startsWith('POST'))

it('lists the sessions of the user, ends one of them, and then all others', async () => {
  await drawComponent(<SessionsPanel />)
  await expect.poll(items).toHaveLength(3)
  const current = panel.getByRole('listitem').filter({ hasText: 'This session' })
  await expect.element(current.getByText('192.0.2.1')).toBeVisible()
  await expect.element(current.getByText('Chrome on Linux')).toBeVisible()
  await expect.element(current.getByRole('button')).not.toBeInTheDocument()
  await endPhone.click()
  await expect.element(page.getByText('Session ended', { exact: true })).toBeVisible()
  await expect.element(panel.getByText('Firefox on Android')).not.toBeInTheDocument()
  await endOthers.click()
  await expect.element(panel.getByText('Safari on iOS')).not.toBeInTheDocument()
  expect(items()).toHaveLength(1)
  await expect.element(endOthers).not.toBeInTheDocument()
  expect(changes()).toEqual([`POST /api/v2/sessions/${phone.uid}/end`, `POST ${endOtherSessions.path}`])
})

it('says by a toast that a session could not be ended, and keeps it in the list', async () => {
  server.answer(endOwnSession, () => {
    throw refusal(503)
  })
  await drawComponent(<SessionsPanel />)
  await endPhone.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(items()).toHaveLength(3)
  expect(await findBarriers()).toEqual([])
})
