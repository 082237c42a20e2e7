import { expect, test } from 'vitest'
import { cueAt, filesOf } from './cue.ts'
import type { Cue } from './cue-types.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'

const ms = (text: string) => Date.parse(text)
const files = [
  makeFile(0, { name: 'A', durationSeconds: 100 }),
  makeFile(1, { name: 'B', durationSeconds: 200 }),
  makeFile(2, { name: 'Ad', durationSeconds: 30, contentType: 'ads' }),
]
const loop = makePlaylist([makeItem(0), makeItem(1), makeItem(2)])
type Part = Parameters<typeof makeManifest>[0]
const playing = (playlist = loop, part: Part = {}) =>
  makeManifest({ files, publications: [makePublication(playlist)], ...part })

function toLabel(cue: Cue): string {
  if (cue.kind === 'silent') return cue.because
  const from = new Date(cue.startsAt).toISOString().slice(11, 19)
  const to = new Date(cue.until).toISOString().slice(11, 19)
  return `${cue.file?.name} ${from}-${to}`
}
const ask = (manifest: ReturnType<typeof makeManifest>, at: string) => {
  const cue = cueAt(manifest, ms(at), filesOf(manifest))
  return { cue, label: toLabel(cue) }
}
function listCues(manifest: ReturnType<typeof makeManifest>, from: string, count: number): string[] {
  const labels: string[] = []
  for (let at = ms(from); labels.length < count;) {
    const cue = cueAt(manifest, at, filesOf(manifest))
    labels.push(toLabel(cue))
    at = cue.until
  }
  return labels
}

test('The loop of a shop that never closes runs from the publication on, over midnight, without a cut', () => {
  expect(listCues(playing(), '2026-03-01T08:00:00Z', 4)).toEqual([
    'A 08:00:00-08:01:40',
    'B 08:01:40-08:05:00',
    'Ad 08:05:00-08:05:30',
    'A 08:05:30-08:07:10',
  ])
  const { cue } = ask(playing(), '2026-03-02T00:00:00Z')
  expect(cue).toMatchObject({ kind: 'play', because: 'loop', cutBy: null })
  expect(cue.kind === 'play' && cue.startsAt).toBeLessThan(ms('2026-03-02T00:00:00Z'))
})

test('A loop starts at each opening, and closing cuts it', () => {
  const manifest = playing(loop, {
    device: { timeZone: 'Europe/Berlin', openingTime: '09:00', closingTime: '20:02' },
  })
  expect(ask(manifest, '2026-03-03T07:59:59Z')).toMatchObject({
    label: 'closed',
    cue: { until: ms('2026-03-03T08:00Z') },
  })
  expect(ask(manifest, '2026-03-03T08:00:00Z').label).toBe('A 08:00:00-08:01:40')
  expect(ask(manifest, '2026-07-03T07:00:00Z').label).toBe('A 07:00:00-07:01:40')
  const last = ask(manifest, '2026-03-03T19:01:59Z').cue
  expect(last).toMatchObject({ until: ms('2026-03-03T19:02Z'), cutBy: 'closed', overlapMs: 0 })
  expect(ask(manifest, '2026-03-03T19:02:00Z').label).toBe('closed')
})

test('On its first day, the loop starts at the activation of the publication', () => {
  const manifest = playing(loop, { device: { openingTime: '07:00', closingTime: '20:00' } })
  expect(ask(manifest, '2026-03-01T08:01:00Z').label).toBe('A 08:00:00-08:01:40')
  expect(ask(manifest, '2026-03-02T07:00:00Z').label).toBe('A 07:00:00-07:01:40')
})

test('Opening hours over midnight are one period with the dates of its opening, across both clock changes', () => {
  const bar = { timeZone: 'Europe/Berlin', openingTime: '18:00', closingTime: '04:00' }
  const manifest = playing({ ...loop, startDate: '2026-03-28', endDate: '2026-03-28' }, { device: bar })
  expect(ask(manifest, '2026-03-28T17:00:00Z').label).toBe('A 17:00:00-17:01:40')
  // The evening of the 28th ends at 04:00 summer time of the 29th: nine hours later.
  expect(ask(manifest, '2026-03-29T01:59:59Z').cue).toMatchObject({
    cutBy: 'closed',
    until: ms('2026-03-29T02:00Z'),
  })
  expect(ask(manifest, '2026-03-29T02:00:00Z').label).toBe('closed')
  expect(ask(manifest, '2026-03-29T16:00:00Z').label).toBe('outside-dates')
  const autumn = ask(playing(loop, { device: bar }), '2026-10-25T02:59:59Z').cue
  expect(autumn.until).toBe(ms('2026-10-25T03:00Z'))
  expect(ask(playing(loop, { device: bar }), '2026-10-25T03:00:00Z').label).toBe('closed')
})

test('A skipped opening time is the instant of the clock change; of a repeated closing time, the second one counts', () => {
  const early = playing(loop, {
    device: { timeZone: 'Europe/Berlin', openingTime: '02:30', closingTime: '12:00' },
  })
  expect(ask(early, '2026-03-29T01:00:00Z').label).toBe('A 01:00:00-01:01:40')
  const late = playing(loop, {
    device: { timeZone: 'Europe/Berlin', openingTime: '12:00', closingTime: '02:30' },
  })
  expect(ask(late, '2026-10-25T01:29:59Z').cue).toMatchObject({
    until: ms('2026-10-25T01:30Z'),
    cutBy: 'closed',
  })
})

test("A scheduled publication starts at its instant, or at its wall time in the device's zone, and cuts the current track", () => {
  const next = makePublication(
    { ...loop, uid: uidOf(501) },
    { uid: uidOf(601), activatedAt: '2026-03-02T08:00:00Z' },
  )
  const at = playing(loop, {
    publications: [makePublication(loop), { ...next, startsAt: { at: '2026-03-03T09:00:07Z' } }],
  })
  expect(ask(at, '2026-03-03T09:00:06.999Z').cue).toMatchObject({
    until: ms('2026-03-03T09:00:07Z'),
    cutBy: 'publication',
  })
  expect(ask(at, '2026-03-03T09:00:07Z').cue).toMatchObject({
    offsetSeconds: 0,
    publication: { uid: uidOf(601) },
  })
  const wall = playing(loop, {
    device: { timeZone: 'America/New_York' },
    publications: [{ ...next, startsAt: { wall: '2026-07-03T09:00:00' } }],
  })
  expect(ask(wall, '2026-07-03T12:59:59Z')).toMatchObject({
    label: 'no-publication',
    cue: { until: ms('2026-07-03T13:00Z') },
  })
  expect(ask(wall, '2026-07-03T13:00:00Z').label).toBe('A 13:00:00-13:01:40')
})

test('Dates are inclusive, in the device zone, and the loop starts on the first one', () => {
  const manifest = playing(
    { ...loop, startDate: '2026-03-05', endDate: '2026-03-06' },
    { device: { timeZone: 'Asia/Kathmandu' } },
  )
  expect(ask(manifest, '2026-03-04T18:14:59Z')).toMatchObject({
    label: 'outside-dates',
    cue: { until: ms('2026-03-04T18:15Z') },
  })
  expect(ask(manifest, '2026-03-04T18:15:00Z').label).toBe('A 18:15:00-18:16:40')
  expect(ask(manifest, '2026-03-06T18:14:59Z').cue).toMatchObject({
    until: ms('2026-03-06T18:15Z'),
    cutBy: 'outside-dates',
  })
  expect(ask(manifest, '2026-03-06T18:15:00Z').label).toBe('outside-dates')
})

test('A track with a start time plays once a day at the first boundary after it, and the loop then continues', () => {
  const timed = makePlaylist([makeItem(0), makeItem(1), makeItem(2, { startTime: '08:04', plays: 2 })])
  const manifest = playing(timed)
  expect(listCues(manifest, '2026-03-01T08:00:00Z', 6)).toEqual([
    'A 08:00:00-08:01:40',
    'B 08:01:40-08:05:00',
    'Ad 08:05:00-08:05:30',
    'Ad 08:05:30-08:06:00',
    'A 08:06:00-08:07:40',
    'B 08:07:40-08:11:00',
  ])
  expect(ask(manifest, '2026-03-01T08:05:10Z').cue).toMatchObject({ because: 'start-time' })
  const ads = listCues(manifest, '2026-03-02T00:00:00Z', 300).filter(label => label.startsWith('Ad'))
  expect(ads).toHaveLength(2)
})

test('The track before a timed track plays to its end without a crossfade', () => {
  const timed = makePlaylist([makeItem(0), makeItem(1), makeItem(2, { startTime: '08:01' })], {
    crossfadeSeconds: 5,
  })
  expect(listCues(playing(timed), '2026-03-01T08:00:00Z', 4)).toEqual([
    'A 08:00:00-08:01:40',
    'Ad 08:01:40-08:02:10',
    'B 08:02:10-08:05:25',
    'A 08:05:25-08:07:00',
  ])
})

test('A start time while the shop is closed is dropped', () => {
  const timed = makePlaylist([makeItem(0), makeItem(2, { startTime: '08:00' })])
  const manifest = playing(timed, { device: { openingTime: '09:00', closingTime: '10:00' } })
  expect(listCues(manifest, '2026-03-02T09:00:00Z', 36).filter(label => label.startsWith('Ad'))).toEqual([])
})

test("The next track follows an item's plays in a row", () => {
  const manifest = playing(makePlaylist([makeItem(0, { plays: 2 }), makeItem(2)]))
  expect(listCues(manifest, '2026-03-01T08:00:00Z', 4)).toEqual([
    'A 08:00:00-08:01:40',
    'A 08:01:40-08:03:20',
    'Ad 08:03:20-08:03:50',
    'A 08:03:50-08:05:30',
  ])
})

test('A crossfade starts the next song early, but never next to an ad', () => {
  const manifest = playing({ ...loop, crossfadeSeconds: 5 })
  expect(listCues(manifest, '2026-03-01T08:00:00Z', 3)).toEqual([
    'A 08:00:00-08:01:35',
    'B 08:01:35-08:04:55',
    'Ad 08:04:55-08:05:25',
  ])
  expect(ask(manifest, '2026-03-01T08:00:00Z').cue).toMatchObject({ overlapMs: 5000, cutBy: null })
  expect(ask(manifest, '2026-03-01T08:02:00Z').cue).toMatchObject({ overlapMs: 0, cutBy: null })
})

test('Missing files are left out of the loop; without any held file there is silence with its reason', () => {
  const manifest = playing()
  const at = ms('2026-03-01T08:00:00Z')
  const onlyB = new Set([files[1]?.sha256 ?? ''])
  expect(toLabel(cueAt(manifest, at, onlyB))).toBe('B 08:00:00-08:03:20')
  expect(cueAt(manifest, at, new Set())).toMatchObject({ kind: 'silent', because: 'not-downloaded' })
})

test('An empty playlist and no publication are silent, each with its reason', () => {
  expect(ask(playing(makePlaylist([])), '2026-03-01T09:00:00Z').label).toBe('empty')
  expect(ask(playing(loop, { publications: [] }), '2026-03-01T09:00:00Z').label).toBe('no-publication')
  expect(ask(playing(), '2026-03-01T07:59:59Z').label).toBe('no-publication')
})

test('An open alert overrides closing, repeats, and the newest one has precedence', () => {
  const alert = {
    uid: uidOf(1),
    kind: 'air',
    beganAt: '2026-03-01T03:00:00Z',
    isDrill: false,
    file: 2,
  } as const
  const newer = { ...alert, uid: uidOf(2), beganAt: '2026-03-01T03:10:00Z', file: null }
  const hours = { openingTime: '09:00', closingTime: '20:00' }
  const one = ask(playing(loop, { device: hours, alerts: [alert] }), '2026-03-01T03:00:40Z')
  expect(one.label).toBe('Ad 03:00:30-03:01:00')
  const two = ask(playing(loop, { device: hours, alerts: [newer, alert] }), '2026-03-01T03:10:40Z')
  expect(two.cue).toMatchObject({ kind: 'alert', alert: { uid: uidOf(2) }, file: null })
})
