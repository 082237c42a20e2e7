import { expect, it } from 'vitest'
import { activityOf } from './device-activity.ts'

const ms = (time: string) => Date.parse(`2026-11-23T${time}Z`)
const nowPlaying = {
  name: 'Song',
  mediaUid: null,
  contentType: null,
  startedAt: '2026-11-23T10:00:00Z',
  offsetSeconds: 0,
  durationSeconds: 120,
}
const online = {
  connectivity: 'online',
  lastContactAt: '2026-11-23T10:00:00Z',
  activity: 'playing',
  nowPlaying,
  silentBecause: null,
} as const
const ask = (state: Parameters<typeof activityOf>[0], time: string) =>
  activityOf(state, { at: ms(time), heartbeatSeconds: 60 })

it('a device plays what it has reported, and for one heartbeat longer', () => {
  expect(ask(online, '10:01:00')).toEqual({ kind: 'playing', name: 'Song' })
  expect(ask(online, '10:02:59')).toEqual({ kind: 'playing', name: 'Song' })
  expect(ask(online, '10:03:00').kind).toBe('playing')
})

it('a device that reports on, but no further track, is silent', () => {
  const later = { ...online, lastContactAt: '2026-11-23T10:03:30Z' }
  expect(ask(later, '10:03:31')).toEqual({ kind: 'silent', because: 'unknown' })
})

it('a device that has missed three heartbeats is away, whatever it has reported, and one whose reports the server misses', () => {
  expect(ask({ ...online, activity: 'late', nowPlaying: null }, '10:01:00')).toEqual({
    kind: 'away',
    since: online.lastContactAt,
  })
  expect(ask(online, '10:03:01')).toEqual({ kind: 'away', since: online.lastContactAt })
})

it('a device is silent for its own reason, also with its volume at zero', () => {
  expect(ask({ ...online, nowPlaying: null, silentBecause: 'closed' }, '10:01:00')).toEqual({
    kind: 'silent',
    because: 'closed',
  })
  expect(ask({ ...online, silentBecause: 'muted' }, '10:01:00')).toEqual({ kind: 'silent', because: 'muted' })
})

it('a device without any contact has never connected', () => {
  const never = {
    connectivity: 'neverup',
    lastContactAt: null,
    activity: null,
    nowPlaying: null,
    silentBecause: null,
  } as const
  expect(ask(never, '10:00:00')).toEqual({ kind: 'never' })
})
