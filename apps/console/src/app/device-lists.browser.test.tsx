import { listDevices, type DeviceRow } from '@floorcast/contract/devices.ts'
import type { GroupCard } from '@floorcast/contract/groups.ts'
import { listUpdateDevices } from '@floorcast/contract/updates.ts'
import type { ReactNode } from 'react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { DevicesPage } from '../features/devices/devices-page.tsx'
import { GroupMembers } from '../features/groups/group-members.tsx'
import { LogsPage } from '../features/logs/logs-page.tsx'
import { UpdateDevices } from '../features/updates/update-devices.tsx'
import { loadWords } from '../platform/i18n.ts'
import { personalize } from '../platform/personalization.ts'
import { drawComponent } from '../testing/draw-component.tsx'
import { FakeServer } from '../testing/fake-server.ts'
import { findBarriers } from '../testing/find-barriers.ts'

const now = '2026-06-10T22:30:00.000Z'
const uidOf = (n: number) => `0193a1f0-0000-7000-8000-00000000010${n}`
const device = (n: number, name: string, more: Partial<DeviceRow>): DeviceRow => ({
  uid: uidOf(n),
  name,
  storeNumber: '',
  description: '',
  kind: 'audio',
  connectivity: 'online',
  lastContactAt: now,
  activity: 'silent',
  silentReason: null,
  silentSince: null,
  isConnectionLost: false,
  changesInSeconds: null,
  group: null,
  publication: null,
  playlist: null,
  nowPlaying: null,
  programVersion: null,
  changedAt: now,
  ...more,
})

/** A shop of each color, all of them online but the last two, and what their row says. */
const shops = [
  { row: device(1, 'Playing shop', { activity: 'playing' }), tone: 'good', word: 'Playing' },
  { row: device(2, 'Muted shop', { silentReason: 'muted' }), tone: 'late', word: 'Silent · muted' },
  {
    row: device(3, 'Broken shop', { silentReason: 'player-broken' }),
    tone: 'late',
    word: 'Silent · the player is broken',
  },
  { row: device(4, 'Closed shop', { silentReason: 'closed' }), tone: 'none', word: 'Closed' },
  {
    row: device(5, 'Lost shop', { connectivity: 'linkdown', activity: null }),
    tone: 'down',
    word: 'Offline over an hour',
  },
  {
    row: device(6, 'New shop', { connectivity: 'neverup', activity: null, lastContactAt: null }),
    tone: 'none',
    word: 'Never connected',
  },
] as const

beforeAll(() => loadWords('logging', 'updates'))
beforeEach(() => {
  const server = new FakeServer()
  const found = { total: shops.length, page: 1, size: 10 }
  server.answer(listDevices, () => ({ ...found, items: shops.map(({ row }) => row) }))
  server.answer(listUpdateDevices, () => ({ ...found, items: shops.map(({ row }) => updateOf(row)) }))
})

const updateOf = (row: DeviceRow) => ({
  uid: row.uid,
  name: row.name,
  group: row.group,
  connectivity: row.connectivity,
  activity: row.activity,
  silentReason: row.silentReason,
  isConnectionLost: row.isConnectionLost,
  lastContactAt: row.lastContactAt,
  changesInSeconds: row.changesInSeconds,
  heldVersion: '2.775.0',
  offered: null,
  step: null,
  stepVersion: null,
  stepAt: null,
  error: null,
})

const group = { uid: uidOf(9), name: 'Food shops', kind: 'audio', deviceCount: shops.length } as GroupCard
const lists: [string, () => ReactNode][] = [
  ['devices', () => <DevicesPage />],
  ['members of a group', () => <GroupMembers group={group} />],
  ['devices to update', () => <UpdateDevices />],
  ['devices with logs', () => <LogsPage />],
]

/** Colors, and texts with a sign before them, of each row that says how a device is. */
const states = () =>
  [...document.querySelectorAll('tbody tr')].map(row => {
    const badges = [...row.querySelectorAll<HTMLElement>('[data-tone]')]
    return badges.map(badge => ({ tone: badge.dataset['tone'], word: badge.innerText }))
  })

describe.each(lists)('the list of %s', (_, drawList) => {
  it.each(['light', 'dark'] as const)(
    'has one state a row, which is green for what is heard alone: %s',
    async mode => {
      personalize({ mode })
      await drawComponent(
        <>
          <h1>{'Page'}</h1>
          {drawList()}
        </>,
        { width: 1440 },
      )
      await expect.element(page.getByText('New shop')).toBeVisible()
      expect(states()).toEqual(shops.map(({ tone, word }) => [{ tone, word }]))
      const colors = [...document.querySelectorAll('tbody [data-tone]')].map(
        badge => getComputedStyle(badge).color,
      )
      const [playing, muted, broken, , down] = colors
      expect(muted).toBe(broken)
      expect(new Set([playing, muted, down])).toHaveLength(3)
      expect(document.querySelectorAll('tbody .tabler-icon-circle-check-filled')).toHaveLength(1)
      expect(await findBarriers()).toEqual([])
    },
  )
})
