import type { ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import { makeFile, makeManifest, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'
import { cueAt, filesOf } from './cue.ts'
import { filesToFetch } from './sync-plan.ts'
import { EarlyWait, entryOf, iterateCues } from './iterate-cues.ts'

const ms = (text: string) => Date.parse(text)
const files = [
  makeFile(0, { name: 'A', durationSeconds: 100 }),
  makeFile(1, { name: 'B', durationSeconds: 200 }),
  makeFile(2, { name: 'Ad', durationSeconds: 30, contentType: 'ads' }),
]

/** The cue at an instant, with its file's name or the reason for silence. */
function ask(manifest: ReturnType<typeof makeManifest>, at: string) {
  const cue = cueAt(manifest, ms(at), filesOf(manifest))
  return { cue, label: cue.kind === 'silent' ? cue.because : cue.file?.name }
}

const smartHead = { form: 'smart', uid: uidOf(502), name: 'Day', kind: 'audio', crossfadeSeconds: 0 } as const

test('A smart day follows the wall clock: a skipped hour is not played, and a repeated hour plays twice', () => {
  const items = Array.from({ length: 24 }, (_, hour) => ({ file: 0, start: hour * 3600, duration: 100 }))
  const manifest = makeManifest({
    files,
    device: { timeZone: 'Europe/Berlin' },
    publications: [
      makePublication({
        ...smartHead,
        startDate: null,
        endDate: null,
        startDay: '00:00',
        endDay: '23:59',
        blocks: [{ kind: 'melody', start: 0, duration: 86_400, items }],
      }),
    ],
  })
  const playsOf = (from: string, to: string) => {
    const starts: number[] = []
    for (let at = ms(from); at < ms(to);) {
      const cue = cueAt(manifest, at, filesOf(manifest))
      if (cue.kind === 'play') starts.push(cue.startsAt)
      at = cue.until
    }
    return starts.length
  }
  expect(playsOf('2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z')).toBe(24)
  expect(playsOf('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toBe(23)
  expect(playsOf('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(25)
  expect(ask(manifest, '2026-03-28T00:00:30Z').cue).toMatchObject({ because: 'timeline', offsetSeconds: 30 })
  expect(ask(manifest, '2026-03-28T00:02:00Z').label).toBe('empty')
  expect(cueAt(manifest, ms('2026-03-28T00:00:30Z'), new Set())).toMatchObject({
    kind: 'silent',
    because: 'not-downloaded',
  })
})

test("A smart window over midnight belongs to the day of its start, with that day's dates", () => {
  const manifest = makeManifest({
    files,
    publications: [
      makePublication({
        ...smartHead,
        startDate: '2026-03-05',
        endDate: '2026-03-05',
        startDay: '22:00',
        endDay: '02:00',
        blocks: [
          { kind: 'melody', start: 0, duration: 14_400, items: [{ file: 1, start: 14_300, duration: 200 }] },
        ],
      }),
    ],
  })
  expect(ask(manifest, '2026-03-05T01:59:00Z').label).toBe('outside-dates')
  expect(ask(manifest, '2026-03-06T01:58:20Z').cue).toMatchObject({
    until: ms('2026-03-06T02:00Z'),
    cutBy: 'outside-window',
  })
  expect(ask(manifest, '2026-03-06T02:00:00Z').label).toBe('outside-window')
})

const smartDay = (blocks: Extract<ManifestPlaylist, { form: 'smart' }>['blocks']) =>
  makePublication({
    ...smartHead,
    startDate: null,
    endDate: null,
    startDay: '00:00',
    endDay: '23:59',
    blocks,
  })

test('Neighbors of a smart day have no gap, whatever fractions of a millisecond their lengths have', () => {
  const uneven = [10.000_4, 20.040_6, 30.000_3].map((durationSeconds, n) => makeFile(n, { durationSeconds }))
  let end = 0
  const items = Array.from({ length: 300 }, (_, n) => {
    const duration = uneven[n % 3]?.durationSeconds ?? 0
    // The second file was replaced by one that is 40 ms longer than the planned one.
    const planned = n % 3 === 1 ? duration - 0.04 : duration
    const item = { file: n % 3, start: Math.round(end * 1000) / 1000, duration: planned }
    end += planned
    return item
  })
  const manifest = makeManifest({
    files: uneven,
    publications: [smartDay([{ kind: 'melody', start: 0, duration: end, items }])],
  })
  const from = ms('2026-03-05T00:00:00Z')
  const cues = [...iterateCues(manifest, { from, until: from + Math.floor(end) * 1000 }, filesOf(manifest))]
  expect(cues).toHaveLength(300)
  for (const cue of cues)
    expect(cue).toMatchObject({ kind: 'play', offsetSeconds: 0, overlapMs: 0, cutBy: null })
})

test("The same smart day in another manifest plays that manifest's files", () => {
  const publication = smartDay([
    { kind: 'melody', start: 0, duration: 30, items: [{ file: 0, start: 0, duration: 30 }] },
  ])
  const [one, two] = [files, files.toReversed()].map(list =>
    makeManifest({ files: list, publications: [publication] }),
  )
  const playedHashes = [one, two, one].map(manifest => {
    const cue = manifest && cueAt(manifest, ms('2026-03-05T00:00:01Z'), filesOf(manifest))
    return cue?.kind === 'play' ? cue.file.sha256 : null
  })
  expect(playedHashes).toEqual([files[0]?.sha256, files.at(-1)?.sha256, files[0]?.sha256])
})

/** From 09:00 on: A, an ad, B, an ad, then nothing. */
const morning = makeManifest({
  files,
  publications: [
    makePublication({
      ...smartHead,
      startDate: null,
      endDate: null,
      startDay: '09:00',
      endDay: '10:00',
      blocks: [
        { kind: 'melody', start: 0, duration: 100, items: [{ file: 0, start: 0, duration: 100 }] },
        { kind: 'ad', start: 100, duration: 30, items: [{ file: 2, start: 100, duration: 30 }] },
        { kind: 'melody', start: 130, duration: 200, items: [{ file: 1, start: 130, duration: 200 }] },
        { kind: 'ad', start: 330, duration: 30, items: [{ file: 2, start: 330, duration: 30 }] },
      ],
    }),
  ],
})

test('A late start joins a melody, and waits for the next boundary inside an ad', () => {
  const entryAt = (at: string) => {
    const { cue } = ask(morning, at)
    return cue.kind === 'play' ? [cue.file.name, entryOf(cue, ms(at)), cue.until] : cue.because
  }
  expect(entryAt('2026-03-05T09:00:00.200Z')).toEqual(['A', 'start', ms('2026-03-05T09:01:40Z')])
  expect(entryAt('2026-03-05T09:00:50Z')).toEqual(['A', 'join', ms('2026-03-05T09:01:40Z')])
  expect(entryAt('2026-03-05T09:01:50Z')).toEqual(['Ad', 'wait', ms('2026-03-05T09:02:10Z')])
  expect(entryAt('2026-03-05T09:06:30Z')).toBe('empty')
  expect(entryAt('2026-03-05T10:00:00Z')).toBe('outside-window')
})

test('A player that is early waits once before a cue, at most 1.5 s, however often it asks', () => {
  const { cue } = ask(morning, '2026-03-05T09:00:00Z')
  if (cue.kind !== 'play') throw new Error('It plays at nine')
  const wait = new EarlyWait()
  const waitAt = (secondsBefore: number) => {
    const now = cue.startsAt - secondsBefore * 1000
    return (wait.untilOf(cue, now) - now) / 1000
  }
  expect([25, 24.5, 23.5, 22].map(waitAt)).toEqual([1.5, 1, 0, -1.5])
  const next = { ...cue, startsAt: cue.until }
  expect(wait.untilOf(next, next.startsAt - 2000)).toBe(next.startsAt - 2000)
  expect(wait.untilOf(next, next.startsAt - 2100)).toBe(next.startsAt - 600)
})

test('Files are downloaded in the order in which the day needs them', () => {
  const names = (at: string) =>
    filesToFetch(morning, new Set(), ms(at))
      .map(({ name }) => name)
      .join(' ')
  expect(names('2026-03-05T08:00:00Z')).toBe('A Ad B')
  expect(names('2026-03-05T09:01:00Z')).toBe('A Ad B')
  expect(names('2026-03-05T09:03:00Z')).toBe('B Ad A')
  expect(names('2026-03-05T09:05:40Z')).toBe('Ad A B')
  expect(names('2026-03-05T09:30:00Z')).toBe('A Ad B')
})
