import { expect, it } from 'vitest'
import { splitPlays } from './play-rows.ts'

const playOf = (more: object) => ({
  day: '2026-11-22',
  clientId: 'client',
  deviceUid: 'radio',
  deviceName: 'Radio',
  groupUid: null,
  receivedAt: '2026-11-22T10:00:01.000Z',
  playlistName: 'Morning',
  mediaUid: 'song',
  trackName: 'Song',
  isClockDoubted: false,
  sequence: 1,
  ...more,
})

it('says what plays share once, and keeps what differs apart, null and the empty text too', () => {
  const rows = [
    playOf({}),
    playOf({ sequence: 2, playlistName: null }),
    playOf({ sequence: 3, playlistName: '' }),
    playOf({ sequence: 4, deviceUid: 'tv' }),
    playOf({ sequence: 5, receivedAt: '2026-11-22T10:00:09.000Z' }),
    playOf({ sequence: 6 }),
    playOf({ sequence: 7, bootUid: 'after a restart' }),
  ]
  const split = splitPlays(rows)
  const [plays, devices, items] = [split.plays, split.devices, split.items].map(
    text => JSON.parse(text) as Record<string, unknown>[],
  )
  expect([plays?.length, devices?.length, items?.length]).toEqual([7, 4, 3])
  const joined = plays?.map(({ device, item, ...play }) => ({
    isClockDoubted: false,
    ...play,
    ...devices?.find(one => one['device'] === device),
    ...items?.find(one => one['item'] === item),
  }))
  expect(joined).toEqual(rows.map(row => expect.objectContaining(row) as unknown))
})
