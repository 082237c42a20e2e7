import { parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { parseProgramme, type ProgrammeReading } from '@floorcast/contract/device-programme.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  splitManifest,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const files = [makeFile(0, { name: 'A' }), makeFile(1, { name: 'Hologram' }), makeFile(2, { name: 'C' })]
const hologram = { ...files[1], contentType: 'holograms', depth: 3 }
const now = makeManifest({
  files,
  publications: [makePublication(makePlaylist([makeItem(0), makeItem(1), makeItem(2)]))],
})

const head = { uid: uidOf(501), name: 'Day', kind: 'audio', crossfadeSeconds: 0 }
const day = { form: 'smart', ...head, startDate: null, endDate: null, startDay: '00:00', endDay: '23:59' }
const block = { kind: 'melody', start: 10, duration: 300, files: [0, 1, 2], gaps: [5, 0, -1] }
const readDay = (part: { files?: unknown[]; blocks?: unknown[] }): ProgrammeReading =>
  parseProgramme({ files: part.files ?? files, playlist: { ...day, blocks: part.blocks ?? [block] } })
const startsOf = ({ programme }: ProgrammeReading) =>
  programme?.playlist.form === 'smart' &&
  programme.playlist.blocks.map(({ items }) =>
    items.map(({ file, start }) => [programme.files[file]?.name, start]),
  )

it('a programme gives each play the end of the former one plus its gap', () => {
  const read = readDay({})
  expect(startsOf(read)).toEqual([
    [
      ['A', 10.005],
      ['Hologram', 70.005],
      ['C', 130.004],
    ],
  ])
  expect(read.unknown).toEqual([])
})

it('a programme with a file that this version cannot play keeps its time free', () => {
  const read = readDay({ files: [files[0], hologram, files[2]] })
  expect(startsOf(read)).toEqual([
    [
      ['A', 10.005],
      ['C', 130.004],
    ],
  ])
  expect(read.programme?.skipped).toBe(1)
  expect(read.unknown).toEqual(["skipped, content type 'holograms': Hologram"])
})

it('a programme with a block of an unknown kind or form keeps the others', () => {
  const read = readDay({ blocks: [{ ...block, kind: 'news' }, { ...block, gaps: 'none' }, block] })
  expect(startsOf(read)).toHaveLength(1)
  expect(read.programme?.skipped).toBe(2)
  expect(read.unknown).toEqual([
    "skipped, block kind 'news': one without a name",
    "skipped, block kind 'melody': one without a name",
  ])
})

it('a programme of another form, or that the device does not hold, skips its publication only', () => {
  const sent = splitManifest(now).manifest
  const odd = parseProgramme({ playlist: { form: 'live', name: 'Radio' }, files: [] })
  expect(parseDeviceManifest(sent, () => odd)).toMatchObject({
    manifest: { publications: [] },
    unknown: ["skipped, playlist form 'live': Radio"],
  })
  expect(parseDeviceManifest(sent, () => null)).toMatchObject({
    manifest: { publications: [], device: now.device },
    unknown: ['skipped, a publication without its programme: Everywhere'],
  })
})

it('a programme is read without an error whatever it holds', () => {
  fc.assert(fc.property(fc.jsonValue(), value => void parseProgramme(value)))
  fc.assert(fc.property(fc.jsonValue(), value => void readDay({ blocks: [value, block] })))
  fc.assert(fc.property(fc.jsonValue(), value => void readDay({ files: [value, files[1], files[2]] })))
})
