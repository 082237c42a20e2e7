import { Manifest } from '@floorcast/contract/manifest.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeDocument, type ManifestSource, NO_MANIFEST, playsOf } from './manifest-body.ts'

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

const publication: ManifestSource['publications'][number] = {
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

const source: ManifestSource = {
  device: { uid: uid(1), name: 'Shop 1', kind: 'audio' },
  tagPolicy: 'device',
  tags: { device: { volume: '55' }, group: { timeZone: 'Europe/Paris' }, client: { openingTime: '25:00' } },
  profiles: [],
  sounds: new Map(),
  alerts: [],
  publications: [publication],
  update: null,
}

const read = (body: string) => z.object({ data: Manifest }).parse(JSON.parse(body)).data

test('a manifest is what the contract says, each file once', () => {
  const manifest = read(makeDocument(source, NO_MANIFEST).body)
  expect(manifest.generation).toBe(1)
  expect(manifest.files.map(file => file.name)).toEqual(['Song 1', 'Song 2'])
  expect(manifest.files[1]?.loudness).toBeNull()
  expect(manifest.publications[0]?.playlist).toMatchObject({ items: [{ file: 0 }, { file: 1 }, { file: 0 }] })
  expect(manifest.device).toMatchObject({ volume: 55, timeZone: 'Europe/Paris', openingTime: null })
})

test('the same state is the same bytes; a change is the next generation with another ETag', () => {
  const first = makeDocument(source, NO_MANIFEST)
  expect(makeDocument(structuredClone(source), first)).toBe(first)
  const renamed = makeDocument({ ...source, device: { ...source.device, name: 'Shop One' } }, first)
  expect(renamed.generation).toBe(2)
  expect(renamed.etag).not.toBe(first.etag)
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
  const offered = makeDocument({ ...source, update }, first)
  expect(read(offered.body).update).toEqual(update)
  expect(makeDocument({ ...source, update: structuredClone(update) }, offered)).toBe(offered)
  expect(makeDocument({ ...source, update: { ...update, isForced: true } }, offered).generation).toBe(3)
  expect(read(makeDocument(source, offered).body).update).toBeUndefined()
})

test('tags written in another order are the same state', () => {
  const one = { ...source, tags: { ...source.tags, device: { volume: '55', city: 'Lyon' } } }
  const other = { ...source, tags: { ...source.tags, device: { city: 'Lyon', volume: '55' } } }
  const first = makeDocument(one, NO_MANIFEST)
  expect(makeDocument(other, first)).toBe(first)
})

test('profiles are merged over the defaults; a setting out of range is left at its default', () => {
  const profiles = [{ defaultVolume: 30 }, { debugLog: true, extra: 1 }, { heartbeatSeconds: 1 }]
  const { settings, device } = read(
    makeDocument({ ...source, profiles, tags: { device: {}, group: {}, client: {} } }, NO_MANIFEST).body,
  )
  expect(settings).toMatchObject({ defaultVolume: 30, debugLog: true, heartbeatSeconds: 60 })
  expect(device).toMatchObject({ volume: 30, timeZone: 'UTC' })
})

test('a delayed publication says its moment, as an instant or as wall time', () => {
  const delayed = [
    { ...publication, startsAt: '2026-12-01T09:00:00.000Z' },
    { ...publication, uid: uid(9), startsAtWall: '2026-12-01T09:00:00' },
  ]
  const manifest = read(makeDocument({ ...source, publications: delayed }, NO_MANIFEST).body)
  expect(manifest.publications.map(({ startsAt }) => startsAt)).toEqual([
    { at: '2026-12-01T09:00:00.000Z' },
    { wall: '2026-12-01T09:00:00' },
  ])
})

test('a zone that does not exist is UTC, and a volume that is no number is not believed', () => {
  const tags = { device: { timeZone: 'Mars/Olympus', volume: 'loud' }, group: {}, client: {} }
  expect(read(makeDocument({ ...source, tags }, NO_MANIFEST).body).device).toMatchObject({
    timeZone: 'UTC',
    volume: 70,
  })
})

test('whole plays that fit in the replay duration, at least one', () => {
  const plays = (replaySeconds: number) =>
    playsOf({ repeatCount: null, replaySeconds, durationSeconds: 20.1 })
  expect(plays(60.3)).toBe(3)
  expect(plays(60.2)).toBe(2)
  expect(plays(1)).toBe(1)
  expect(playsOf({ repeatCount: 4, replaySeconds: null, durationSeconds: 20.1 })).toBe(4)
})
