import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectManifest } from './select-manifest.ts'
import { cueAt, filesOf } from './cue.ts'
import {
  anyHeld,
  anyInstant,
  anyManifest,
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { filesToDrop, filesToFetch, heldReport, MAX_SWAP_WAIT_MS } from './sync-plan.ts'

const ms = (text: string) => Date.parse(text)
const files = [0, 1, 2, 3, 4].map(number => makeFile(number, { name: 'ABCDE'[number] ?? '' }))
const [a, b, , d, e] = files.map(file => file.sha256)
const set = (...hashes: (string | undefined)[]) => new Set(hashes.flatMap(hash => hash ?? []))
const publicationOf = (items: number[], part: Parameters<typeof makePublication>[1] = {}) =>
  makePublication(makePlaylist(items.map(index => makeItem(index))), part)
const at = ms('2026-03-01T09:00:00Z')

test('Downloads alert sounds first, then the loop from its current position on, then scheduled publications, each file once', () => {
  const manifest = makeManifest({
    files,
    publications: [
      publicationOf([4, 0], { uid: uidOf(601), startsAt: { at: '2026-03-05T09:00:00Z' } }),
      publicationOf([0, 1, 2, 1]),
    ],
    alerts: [{ uid: uidOf(1), kind: 'air', beganAt: '2026-03-01T08:00:00Z', isDrill: false, file: 3 }],
  })
  const names = (held: ReadonlySet<string>, quiet = false) =>
    filesToFetch(quiet ? { ...manifest, alerts: [] } : manifest, held, at + 61_000)
      .map(file => file.name)
      .join('')
  expect(names(set())).toBe('DABCE')
  // The loop of four minutes started an hour and 61 seconds ago: it plays its second track.
  expect(names(set(), true)).toBe('DBCAE')
  expect(names(set(b, e))).toBe('DAC')
  expect(filesToDrop([manifest], set(a, 'f'.repeat(64)))).toEqual(['f'.repeat(64)])
  expect(heldReport(manifest, set(a, d))).toEqual([
    { publicationUid: uidOf(601), revision: 1, missing: 1 },
    { publicationUid: uidOf(600), revision: 1, missing: 2 },
  ])
})

test('The former publication continues until the new one is held or 15 minutes have passed', () => {
  const playing = makeManifest({ files, publications: [publicationOf([0, 1])] })
  const newest = makeManifest({
    files: files.toReversed(),
    device: { volume: 30 },
    publications: [publicationOf([0, 1], { uid: uidOf(601), activatedAt: '2026-03-01T09:00:00Z' })],
  })
  const held = set(a, b)
  const waiting = selectManifest({ playing, newest, seenAt: () => at, held }, at + 1000)
  expect(waiting.device.volume).toBe(30)
  const cue = cueAt(waiting, at + 1000, held)
  expect(cue).toMatchObject({ kind: 'play', publication: { uid: uidOf(600) } })
  expect(cue).toEqual({ ...cueAt(playing, at + 1000, held), publication: waiting.publications[0] })
  const ask = (part: object, instant: number) =>
    selectManifest({ playing, newest, seenAt: () => at, held, ...part }, instant)
  expect(ask({ held: set(d, e, a) }, at + 1000)).toBe(newest)
  expect(ask({}, at + MAX_SWAP_WAIT_MS)).toBe(newest)
  expect(ask({ seenAt: () => at + 60_000 }, at + MAX_SWAP_WAIT_MS)).not.toBe(newest)
  expect(ask({ held: set() }, at + 1000)).toBe(newest)
  expect(ask({ playing: null }, at + 1000)).toBe(newest)
})

test('A scheduled start takes effect at its instant, and a publication that is turned off ends', () => {
  const playing = makeManifest({ files, publications: [publicationOf([0, 1])] })
  const startsAt = { at: '2026-03-01T10:00:00Z' }
  const delayed = publicationOf([3], { uid: uidOf(601), startsAt })
  const newest = makeManifest({ files, publications: [publicationOf([0, 1]), delayed] })
  const choice = { playing, newest, seenAt: () => at, held: set(a, b) }
  expect(
    cueAt(selectManifest(choice, ms('2026-03-01T10:00:00Z')), ms('2026-03-01T10:00:00Z'), set(a, b)),
  ).toMatchObject({
    because: 'not-downloaded',
  })
  const off = makeManifest({ files, publications: [] })
  expect(selectManifest({ ...choice, newest: off }, at)).toBe(off)
})

test('For any manifest, nothing is missing after the requested downloads', () => {
  fc.assert(
    fc.property(anyManifest, anyInstant, anyHeld, (manifest, instant, held) => {
      const fetched = filesToFetch(manifest, held, instant).map(file => file.sha256)
      expect(new Set(fetched).size).toBe(fetched.length)
      const all = new Set([...held, ...fetched])
      expect(filesToFetch(manifest, all, instant)).toEqual([])
      expect(heldReport(manifest, all).every(report => report.missing === 0)).toBe(true)
      expect(cueAt(manifest, instant, all)).toEqual(cueAt(manifest, instant, filesOf(manifest)))
    }),
  )
})
