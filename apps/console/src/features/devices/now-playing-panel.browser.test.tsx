import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createStore, useStore } from '../../platform/store.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { ActivityBadge } from '../../ui/activity-badge.tsx'
import { NowPlayingPanel } from './now-playing-panel.tsx'

const playing = {
  connectivity: 'online',
  activity: 'playing',
  silentReason: null,
  silentSince: null,
  isConnectionLost: false,
  connectionLostAt: null,
  lastContactAt: '2026-11-28T04:16:20.000Z',
  nowPlaying: {
    name: 'Blue hour',
    startedAt: '2026-11-28T04:16:00.000Z',
    offsetSeconds: 0,
    durationSeconds: 180,
  },
} as DeviceCard
const lost: DeviceCard = { ...playing, isConnectionLost: true, connectionLostAt: '2026-11-28T04:16:29.000Z' }
const late: DeviceCard = { ...lost, activity: 'late', nowPlaying: null }

const device = createStore(playing)
function Card() {
  const card = useStore(device)
  return (
    <>
      <h1>{'Till 1'}</h1>
      <ActivityBadge device={card} />
      <NowPlayingPanel device={card} />
    </>
  )
}

const panel = page.getByRole('region', { name: 'Now playing' })

afterEach(() => {
  vi.useRealTimers()
})

it('claims nothing of a player that has gone: since when, what is expected now, and when it was seen', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T04:16:25Z') })
  await drawComponent(<Card />)
  await expect.element(panel.getByRole('progressbar')).toBeVisible()
  device.set(lost)
  await expect
    .element(
      panel.getByText(/^Connection lost at 4:16:29\sAM\. Expected now: “Blue hour”, by the schedule\.$/),
    )
    .toBeVisible()
  await expect.element(panel.getByRole('progressbar')).not.toBeInTheDocument()
  await expect.element(page.getByText('Connection lost', { exact: true })).toBeVisible()
  expect(await findBarriers()).toEqual([])
  // The card was drawn while it played: its clock stood until now.
  vi.setSystemTime(new Date('2026-11-28T04:17:45Z'))
  device.set(late)
  await expect.element(page.getByText(/^Seen 1\sminute ago$/)).toBeVisible()
  await expect.element(panel.getByText(/^No report since .*4:16\sAM\. The shop may play on\.$/)).toBeVisible()
  expect(await findBarriers()).toEqual([])
})
