import type { DeviceRow } from '@floorcast/contract/devices.ts'
import { expect, it } from 'vitest'
import type { Format } from '../platform/format.ts'
import type { Translate } from '../platform/i18n.ts'
import { describeDevice } from './device-state.ts'

const t = ((key: string) => key) as Translate
const format = { relative: () => '' } as unknown as Format

const online = {
  connectivity: 'online',
  lastContactAt: '2026-11-28T10:00:00Z',
  isConnectionLost: false,
} as const
const silent = (silentReason: DeviceRow['silentReason']) =>
  ({ ...online, activity: 'silent', silentReason }) as const

const track = { name: 'Blue hour' } as DeviceRow['nowPlaying']

it.each([
  [{ ...online, activity: 'playing', silentReason: null }, 'good', 'activity:playing'],
  [
    { ...online, activity: 'playing', silentReason: null, nowPlaying: track },
    'good',
    'activity:playingTrack',
  ],
  [silent('muted'), 'late', 'activity:silent · activity:silentReasons.muted'],
  [silent('not-downloaded'), 'late', 'activity:silent · activity:silentReasons.not-downloaded'],
  [silent('player-broken'), 'late', 'activity:silent · activity:silentReasons.player-broken'],
  [silent('player-missing'), 'late', 'activity:silent · activity:silentReasons.player-missing'],
  [silent('no-publication'), 'late', 'activity:silent · activity:silentReasons.no-publication'],
  [silent('closed'), 'none', 'activity:closed'],
  [silent('outside-window'), 'none', 'activity:silent · activity:silentReasons.outside-window'],
  [{ ...silent('closed'), isConnectionLost: true }, 'late', 'activity:connectionLost'],
  [{ ...online, activity: 'late', silentReason: null }, 'late', 'activity:seen'],
  [
    { ...online, lastContactAt: '2026-11-28T10:04:30Z', activity: 'late', silentReason: null },
    'late',
    'activity:connectivity.late',
  ],
  [
    { ...online, connectivity: 'linklost', activity: null, silentReason: null },
    'down',
    'activity:connectivity.linklost',
  ],
  [
    { ...online, connectivity: 'neverup', activity: null, silentReason: null },
    'none',
    'activity:connectivity.neverup',
  ],
] as const)('%# has one state', (device, tone, word) => {
  expect(describeDevice({ t, format }, device, Date.parse('2026-11-28T10:05:00Z'))).toEqual({ tone, word })
})
