import { FormerManifest, Manifest } from '@floorcast/contract/manifest.ts'
import { writeProgramme } from '@floorcast/contract/programme.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  formerManifestOf,
  listSounds,
  makeDocument,
  type ManifestContent,
  manifestOf,
  mergeSettings,
  NO_GROUP,
} from './manifest-body.ts'
import { headOf, playsOf, programmeOf, type SourcePublication, writeDocument } from './programme-body.ts'

const uid = (n: number) => `01933d4e-0000-7000-8000-${String(n).padStart(12, '0')}`

const item = (n: number, more = {}) => ({
  uid: uid(100 + n),
  position: n,
  repeatCount: 1,
  replaySeconds: null,
  startTime: null,
  mediaUid: uid(200 + n),
  mediaName: `Song ${n}`,
  contentType: 'melodies' as const,
  sha256: String(n).repeat(64),
  sizeBytes: 1000,
  durationSeconds: 20.1,
  integratedLufs: -14.2,
  truePeakDbtp: -0.3,
  ...more,
})

const publication: SourcePublication = {
  uid: uid(2),
  name: 'Spring',
  revision: 3,
  activatedAt: '2026-11-21T09:00:00.000Z',
  startsAt: null,
  startsAtWall: null,
  playlist: {
    uid: uid(3),
    name: 'Spring songs',
    kind: 'audio',
    crossfadeSeconds: 2,
    startDate: null,
    endDate: null,
  },
  items: [item(1), item(2, { integratedLufs: null, truePeakDbtp: null }), item(1, { uid: uid(109) })],
  day: null,
}

const NO_MANIFEST = { generation: 0, etag: '' }
const named = async (one: SourcePublication) => ({
  ...headOf(one),
  programme: (await writeDocument(one)).sha256,
})

const source: ManifestContent = {
  device: { uid: uid(1), name: 'Shop 1', kind: 'audio', tagPolicy: null, tags: { volume: '55' } },
  client: { tagPolicy: 'device', tags: { openingTime: '25:00' } },
  group: { ...NO_GROUP, tags: { timeZone: 'Europe/Paris' }, publications: [await named(publication)] },
  alerts: [],
}
const withTags = (tags: Record<string, string>): ManifestContent => ({
  device: { ...source.device, tags },
  client: { tagPolicy: 'device', tags: {} },
  group: { ...source.group, tags: {} },
  alerts: [],
})

const read = (body: string) => z.object({ data: Manifest }).parse(JSON.parse(body)).data

test('a manifest names its programme, which has each file once', () => {
  const manifest = read(makeDocument(source, NO_MANIFEST).body)
  expect(manifest.generation).toBe(1)
  expect(manifest.files).toEqual([])
  const { playlist, files } = programmeOf(publication)
  expect(files.map(file => file.name)).toEqual(['Song 1', 'Song 2'])
  expect(files[1]?.loudness).toBeNull()
  expect(playlist).toMatchObject({ items: [{ file: 0 }, { file: 1 }, { file: 0 }] })
  expect(manifest.publications[0]?.programme).toMatch(/^[0-9a-f]{64}$/)
  expect(manifest.device).toMatchObject({ volume: 55, timeZone: 'Europe/Paris', openingTime: null })
})

test('the same state is the same bytes; a change is the next generation with another ETag', () => {
  const first = makeDocument(source, NO_MANIFEST)
  expect(makeDocument(structuredClone(source), first)).toEqual(first)
  const renamed = makeDocument({ ...source, device: { ...source.device, name: 'Shop One' } }, first)
  expect(renamed.generation).toBe(2)
  expect(renamed.etag).not.toBe(first.etag)
})

test('a programme is the same bytes for the same plays; loudness and each file of it change its hash', async () => {
  const hashOf = async (one: SourcePublication) => (await writeDocument(one)).sha256
  const first = await hashOf(publication)
  expect(await hashOf(structuredClone({ ...publication, revision: 9, name: 'Autumn' }))).toBe(first)
  const withLoudness = [item(1), item(2), item(1, { uid: uid(109) })]
  expect(await hashOf({ ...publication, items: withLoudness })).not.toBe(first)
  expect(await hashOf({ ...publication, items: publication.items.slice(1) })).not.toBe(first)
})

test('a list that is written in parts has the bytes of the whole', async () => {
  const items = Array.from({ length: 4500 }, (_, index) => item(index % 3001, { uid: uid(10_000 + index) }))
  const name = 'a "quoted" []},"files":[]} name'
  const long = { ...publication, playlist: { ...publication.playlist, name }, items }
  const whole = JSON.stringify(writeProgramme(programmeOf(long)))
  expect((await writeDocument(long)).text).toBe(whole)
})

test('for protocol 1 the manifest has its programmes and one list of files', async () => {
  const other = { ...publication, uid: uid(9), items: [item(3), item(2, { uid: uid(110) })] }
  const sound = item(7, { mediaName: 'Siren' })
  const group = {
    ...source.group,
    ...listSounds([{ airMedia: sound.mediaUid }], new Map([[sound.mediaUid, sound]])),
    publications: [await named(publication), await named(other)],
  }
  const manifest = manifestOf({ ...source, group }, 4)
  const programmes = new Map(
    group.publications.map(({ programme }, index) => [
      programme,
      programmeOf(index === 0 ? publication : other),
    ]),
  )
  const former = FormerManifest.parse(formerManifestOf(manifest, programmes))
  expect(former).toMatchObject({
    protocol: 1,
    generation: 4,
    device: manifest.device,
    alertSounds: { air: 0 },
  })
  const namesOf = former.publications.map(
    ({ playlist }) =>
      playlist.form === 'simple' && playlist.items.map(({ file }) => former.files[file]?.name),
  )
  expect(namesOf).toEqual([
    ['Song 1', 'Song 2', 'Song 1'],
    ['Song 3', 'Song 2'],
  ])
  expect(former.files.map(({ name }) => name)).toEqual(['Siren', 'Song 1', 'Song 2', 'Song 3'])
})

test('an update to install is named; without one the bytes say nothing of it', () => {
  const first = makeDocument(source, NO_MANIFEST)
  expect(first.body).not.toContain('update')
  const update = {
    packageUid: uid(7),
    name: 'Player',
    category: 'Program',
    version: '2.776.0',
    channelName: 'Pilot shops',
    isForced: false,
    files: [
      {
        uid: uid(8),
        name: 'player.tar',
        sha256: 'c'.repeat(64),
        sizeBytes: 7,
        signature: null,
        path: `/api/v2/iplay/update/${uid(8)}/${'c'.repeat(64)}`,
      },
    ],
  }
  const offering = (offer: typeof update) => ({ ...source, group: { ...source.group, update: offer } })
  const offered = makeDocument(offering(update), first)
  expect(read(offered.body).update).toEqual(update)
  expect(makeDocument(offering(structuredClone(update)), offered)).toEqual(offered)
  expect(makeDocument(offering({ ...update, isForced: true }), offered).generation).toBe(3)
  expect(read(makeDocument(source, offered).body).update).toBeUndefined()
})

test('tags written in another order are the same state', () => {
  const first = makeDocument(withTags({ volume: '55', city: 'Lyon' }), NO_MANIFEST)
  expect(makeDocument(withTags({ city: 'Lyon', volume: '55' }), first)).toEqual(first)
})

test('profiles are merged over the defaults; a setting out of range is left at its default', () => {
  const profiles = [{ defaultVolume: 30 }, { debugLog: true, extra: 1 }, { heartbeatSeconds: 1 }]
  const bare = withTags({})
  const group = { ...bare.group, settings: mergeSettings(profiles) }
  const { settings, device } = read(makeDocument({ ...bare, group }, NO_MANIFEST).body)
  expect(settings).toMatchObject({ defaultVolume: 30, debugLog: true, heartbeatSeconds: 60 })
  expect(device).toMatchObject({ volume: 30, timeZone: 'UTC' })
})

test('a delayed publication says its moment, as an instant or as wall time', async () => {
  const publications = await Promise.all(
    [
      { ...publication, startsAt: '2026-12-01T09:00:00.000Z' },
      { ...publication, uid: uid(9), startsAtWall: '2026-12-01T09:00:00' },
    ].map(named),
  )
  const delayed = { ...source, group: { ...source.group, publications } }
  const manifest = read(makeDocument(delayed, NO_MANIFEST).body)
  expect(manifest.publications.map(({ startsAt }) => startsAt)).toEqual([
    { at: '2026-12-01T09:00:00.000Z' },
    { wall: '2026-12-01T09:00:00' },
  ])
})

test('a zone that does not exist is UTC, and a volume that is no number is not believed', () => {
  const odd = withTags({ timeZone: 'Mars/Olympus', volume: 'loud' })
  expect(read(makeDocument(odd, NO_MANIFEST).body).device).toMatchObject({ timeZone: 'UTC', volume: 70 })
})

test('whole plays that fit in the replay duration, at least one', () => {
  const plays = (replaySeconds: number) =>
    playsOf({ repeatCount: null, replaySeconds, durationSeconds: 20.1 })
  expect(plays(60.3)).toBe(3)
  expect(plays(60.2)).toBe(2)
  expect(plays(1)).toBe(1)
  expect(playsOf({ repeatCount: 4, replaySeconds: null, durationSeconds: 20.1 })).toBe(4)
})
