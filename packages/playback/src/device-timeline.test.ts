import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'
import { cueAt, filesOf } from './cue.ts'
import type { Cue } from './cue-types.ts'
import { cueOfDevice, placeOf, type ReportedPlay } from './device-timeline.ts'

const files = [
  makeFile(0, { name: 'A', durationSeconds: 100 }),
  makeFile(1, { name: 'B', durationSeconds: 200 }),
]
const former = makeFile(2, { name: 'Former', durationSeconds: 60 })
const manifest = makeManifest({
  files,
  publications: [makePublication(makePlaylist([makeItem(0), makeItem(1)]))],
})
const schedule = (at: number) => cueAt(manifest, at, filesOf(manifest))

/** A plays from 08:00:00 to 08:01:40, B to 08:05:00. */
const ms = (time: string) => Date.parse(`2026-03-01T${time}Z`)
const report = (index: 0 | 1 | 2, startedAt: string): ReportedPlay => {
  const { mediaUid, durationSeconds } = index === 2 ? former : (files[index] ?? former)
  return { mediaUid, durationSeconds, startedAt: ms(startedAt) }
}
const findFile = () => {
  const [publication] = manifest.publications
  if (!publication) throw new Error('no publication')
  return { file: former, publication }
}

function heard(play: ReportedPlay | null, time: string): string {
  const cue: Cue = cueOfDevice({ place: placeOf(play, schedule), cueAt: schedule, findFile }, ms(time))
  if (cue.kind !== 'play') return cue.kind
  const from = new Date(cue.startsAt).toISOString().slice(11, 23)
  return `${cue.file.name} ${from}-${new Date(cue.until).toISOString().slice(11, 23)}`
}

test('A device without a report is on its schedule', () => {
  expect(heard(null, '08:00:50')).toBe('A 08:00:00.000-08:01:40.000')
})

test('A device that is late is heard as late, also in its next track', () => {
  const late = report(0, '08:00:00.700')
  expect(heard(late, '08:00:50')).toBe('A 08:00:00.700-08:01:40.700')
  expect(heard(late, '08:01:40.400')).toBe('A 08:00:00.700-08:01:40.700')
  expect(heard(late, '08:02:00')).toBe('B 08:01:40.700-08:05:00.700')
})

test('A device that began early is heard as early', () => {
  expect(heard(report(1, '08:01:39.500'), '08:01:39.800')).toBe('B 08:01:39.500-08:04:59.500')
})

test('A device that joined its track in the middle is on its schedule', () => {
  expect(heard(report(0, '08:00:30'), '08:00:50')).toBe('A 08:00:00.000-08:01:40.000')
})

test('A device that plays what is not scheduled is heard to the end of it, and on its schedule then', () => {
  const other = report(2, '08:00:10')
  expect(heard(other, '08:00:50')).toBe('Former 08:00:10.000-08:01:10.000')
  expect(heard(other, '08:01:10')).toBe('A 08:00:00.000-08:01:40.000')
})

test('An alert sounds at once, at any place', () => {
  const alerts = [{ uid: files[0]?.mediaUid ?? '', kind: 'air', beganAt: '', isDrill: false, file: null }]
  const place = placeOf(report(0, '08:00:00.700'), schedule)
  const withAlert = (at: number) => cueAt({ ...manifest, alerts }, at, filesOf(manifest))
  expect(cueOfDevice({ place, cueAt: withAlert, findFile }, ms('08:00:50')).kind).toBe('alert')
})
