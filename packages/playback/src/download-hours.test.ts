import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'
import { downloadsOpenAt, urgentFiles } from './download-hours.ts'

const ms = (text: string) => Date.parse(text)
const iso = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z')
const at = ms('2026-03-01T09:00:00Z')

test('Downloads that can wait run within the hours of the profile, in the zone of the shop', () => {
  const { device } = makeManifest({ device: { timeZone: 'Europe/Berlin' } })
  const opensAt = (settings: object, instant: string) =>
    iso(downloadsOpenAt({ device, settings }, ms(instant)))
  expect(opensAt({}, '2026-03-01T09:00:00Z')).toBe('2026-03-01T09:00Z')
  const night = { downloadFrom: '22:00', downloadTo: '05:30' }
  expect(opensAt(night, '2026-03-01T09:00:00Z')).toBe('2026-03-01T21:00Z')
  expect(opensAt(night, '2026-03-01T21:00:00Z')).toBe('2026-03-01T21:00Z')
  expect(opensAt(night, '2026-03-02T04:29:00Z')).toBe('2026-03-02T04:29Z')
  expect(opensAt(night, '2026-03-02T04:30:00Z')).toBe('2026-03-02T21:00Z')
  // The opening hours of the shop play no part.
  const closed = { ...device, openingTime: '09:00', closingTime: '18:00' }
  expect(iso(downloadsOpenAt({ device: closed, settings: {} }, ms('2026-03-01T02:00:00Z')))).toBe(
    '2026-03-01T02:00Z',
  )
})

test('The sounds of alerts and what is to be heard within the hour do not wait', () => {
  // Twenty minutes each: the fifth one begins after 80 minutes.
  const files = [0, 1, 2, 3, 4, 5, 6].map(number =>
    makeFile(number, { name: 'ABCDEFG'[number] ?? '', durationSeconds: 1200 }),
  )
  const loop = makePublication(makePlaylist([0, 1, 2, 3, 4].map(index => makeItem(index))), {
    activatedAt: '2026-03-01T09:00:00Z',
  })
  const delayed = (startsAt: string) =>
    makePublication(makePlaylist([makeItem(5)]), { uid: uidOf(601), startsAt: { at: startsAt } })
  const names = (manifest: Parameters<typeof makeManifest>[0]) => {
    const urgent = urgentFiles(makeManifest({ files, ...manifest }), at)
    return files.flatMap(({ name, sha256 }) => (urgent.has(sha256) ? [name] : [])).join('')
  }
  expect(names({ publications: [loop, delayed('2026-03-01T11:00:00Z')] })).toBe('ABCG')
  expect(names({ publications: [loop, delayed('2026-03-01T09:30:00Z')] })).toBe('ABFG')
  const alert = {
    uid: uidOf(1),
    kind: 'air',
    beganAt: '2026-03-01T08:00:00Z',
    isDrill: false,
    file: 4,
  } as const
  expect(names({ publications: [loop, delayed('2026-03-01T11:00:00Z')], alerts: [alert] })).toBe('ABCEG')
})
