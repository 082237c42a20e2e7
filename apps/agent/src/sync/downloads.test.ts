import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { byLicense, DeviceSession } from '@floorcast/device-client/session.ts'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Clock } from '@floorcast/device-client/clock.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import { hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { StoreDouble } from '@floorcast/testing/store-double.ts'
import { EventStore } from '../store/event-store.ts'
import { makeManifestStore, type ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { makeMediaStore, type MediaStore } from '../store/media-store.ts'
import { readHardwareId } from '../store/hardware-id.ts'
import { makeSessionStorage } from '../store/session-store.ts'
import { makeStateStore } from '../store/state-store.ts'
import { foldersOf } from '../store/data-folder.ts'
import { openStore } from '../store/store.ts'
import { DownloadLimits } from './download-limits.ts'
import { makeDownloads } from './sync.ts'

let dataDir: string
let server: ServerDouble
let stop: () => Promise<void>
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'floorcast-downloads-'))
  server = new ServerDouble()
  await server.start()
})
afterEach(async () => {
  await stop()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function addFile(number: number, size: number): ManifestFile {
  const bytes = Buffer.alloc(size, number)
  const sha256 = hashOf(bytes)
  const file = makeFile(number, { name: `File ${number}`, sizeBytes: size, sha256 })
  file.path = `/api/v2/iplay/media/${file.mediaUid}/${sha256}`
  server.addFile(file, bytes)
  return file
}
const manifestOf = (files: ManifestFile[], generation: number) =>
  makeManifest({
    generation,
    files,
    publications: [makePublication(makePlaylist(files.map((_, index) => makeItem(index))))],
  })

/** Starts an agent's downloads on a disk with the given free space. */
async function startDownloads(
  disk: { free: number; old?: ManifestFile },
  time = { now: '2026-03-02T09:00:00Z' },
) {
  const store = openStore(dataDir)
  const state = makeStateStore(store)
  const media: MediaStore = makeMediaStore(dataDir, store)
  const manifests = makeManifestStore(state)
  const events = new EventStore(store)
  const storeFaults: string[] = []
  const session = new DeviceSession({
    server: server.url,
    opening: byLicense({
      licenseKey: 'KEY',
      hardwareId: readHardwareId(state),
      runId: events.bootId,
      model: 'Test',
      version: '1',
      storage: makeSessionStorage(state, dataDir),
      onOtherDevice: () => undefined,
    }),
    fetch,
    onStoreFault: (store, cause) => void storeFaults.push(`${store}: ${String(cause)}`),
  })
  await session.open()
  const freeBytes = () => disk.free - [...media.held].length * 1000
  const now = () => Date.parse(time.now)
  const clock = new Clock({ system: now, steady: () => now() + performance.now() }, 0, null)
  const downloads = makeDownloads({
    session,
    manifests,
    log: new PlayLog(events, state, now),
    clock,
    limits: new DownloadLimits({ clock, manifest: () => manifests.newest()?.manifest }),
    media: { ...media, freeBytes },
    random: () => 0.5,
    onUnauthorized: () => Promise.resolve(),
  })
  const running = downloads.run()
  stop = async () => {
    downloads.stop()
    await running
  }
  const loggedCodes = () => [...events.readAll()].map(event => (event as { code: string }).code)
  const loggedMessages = () => [...events.readAll()].map(event => (event as { message: string }).message)
  return { media, manifests, downloads, session, storeFaults, loggedCodes, loggedMessages }
}
const MB = 1024 * 1024
const save = (manifests: ManifestStore, manifest: DeviceManifest) =>
  manifests.save({ etag: String(manifest.generation), manifest, programmes: new Map() }, 0)

test('Resumes a partial download and requests only the rest', async () => {
  const file = addFile(1, 300_000)
  const part = join(foldersOf(dataDir).media, `${file.sha256}.part`)
  makeMediaStore(dataDir, openStore(dataDir))
  writeFileSync(part, Buffer.alloc(100_000, 1))
  const { media, manifests } = await startDownloads({ free: 500 * MB })
  save(manifests, manifestOf([file], 1))
  await eventually(() => expect([...media.held]).toEqual([file.sha256]))
  expect(server.ranges).toEqual(['bytes=100000-'])
  expect(readdirSync(foldersOf(dataDir).media)).toEqual([file.sha256])
})

test('An answer 200 that is not the file leaves the part as it was; a whole file is checked against it', async () => {
  const file = addFile(1, 300_000)
  server.faults.set(file.sha256, ['page', 'short', 'endless', 'whole'])
  makeMediaStore(dataDir, openStore(dataDir))
  const part = join(foldersOf(dataDir).media, `${file.sha256}.part`)
  writeFileSync(part, Buffer.alloc(200_000, 1))
  const { media, manifests, downloads, loggedCodes, loggedMessages } = await startDownloads({
    free: 500 * MB,
  })
  save(manifests, manifestOf([file], 1))
  await eventually(() => {
    downloads.wake()
    expect([...media.held]).toEqual([file.sha256])
  })
  expect(server.ranges).toEqual(Array.from({ length: 4 }, () => 'bytes=200000-'))
  expect(loggedCodes()).toEqual(['download-refused', 'download-too-short', 'download-too-long'])
  expect(loggedMessages()[0]).toContain('this is not the file: the answer is of the type text/html')
})

test('The hash reveals a partial download of another file, which is downloaded from the start', async () => {
  const file = addFile(1, 300_000)
  makeMediaStore(dataDir, openStore(dataDir))
  writeFileSync(join(foldersOf(dataDir).media, `${file.sha256}.part`), Buffer.alloc(100_000, 7))
  const { media, manifests, loggedCodes } = await startDownloads({ free: 500 * MB })
  save(manifests, manifestOf([file], 1))
  await eventually(() => expect([...media.held]).toEqual([file.sha256]))
  expect(server.ranges).toEqual(['bytes=100000-', undefined])
  expect(loggedCodes()).toEqual(['download-wrong-hash'])
})

test('A full disk keeps its files, is reported once, and downloads continue when there is space', async () => {
  const disk = { free: 10 * MB }
  const { media, manifests, downloads, loggedCodes, loggedMessages } = await startDownloads(disk)
  const [held, next] = [addFile(1, 1000), addFile(2, 1000)]
  save(manifests, manifestOf([held], 1))
  await eventually(() => expect(loggedCodes()).toEqual(['download-disk']))
  expect(loggedMessages()).toEqual([
    expect.stringMatching(
      /^File 1: disk: it needs 0\.0 MB and 67\.1 MB stay free, but the disk has 10\.5 MB left\. Free some/,
    ),
  ])
  downloads.wake()
  disk.free = 500 * MB
  downloads.wake()
  await eventually(() => expect([...media.held]).toEqual([held.sha256]))
  save(manifests, manifestOf([held, next], 2))
  await eventually(() => expect([...media.held]).toContain(next.sha256))
  expect(loggedCodes()).toEqual(['download-disk'])
})

test('Files that no manifest names are deleted only if their space is needed', async () => {
  const [old, small, large] = [addFile(1, 1000), addFile(2, 1000), addFile(3, 2000)]
  const disk = { free: 500 * MB }
  const { media, manifests } = await startDownloads(disk)
  save(manifests, manifestOf([old], 1))
  await eventually(() => expect(media.held.size).toBe(1))
  save(manifests, manifestOf([small], 2))
  await eventually(() => expect(media.held.size).toBe(2))
  expect(media.held).toContain(old.sha256)
  // The large file fits only after one of the other two is deleted.
  disk.free = 64 * MB + 2000 + 1500
  save(manifests, manifestOf([small, large], 3))
  await eventually(() => expect(media.held).toContain(large.sha256))
  expect([...media.held].toSorted()).toEqual([small.sha256, large.sha256].toSorted())
})

test('Unfinished files that no manifest names are deleted if their space is needed', async () => {
  const file = addFile(1, 1000)
  makeMediaStore(dataDir, openStore(dataDir))
  const folder = foldersOf(dataDir).media
  mkdirSync(folder, { recursive: true })
  const [stale, wanted] = [`${'a'.repeat(64)}.part`, `${file.sha256}.part`]
  for (const name of [stale, wanted]) writeFileSync(join(folder, name), Buffer.alloc(100, 1))
  const { manifests, loggedCodes } = await startDownloads({ free: 10 * MB })
  save(manifests, manifestOf([file], 1))
  await eventually(() => expect(loggedCodes()).toEqual(['download-disk']))
  expect(readdirSync(folder)).toEqual([wanted])
})

test('Outside the hours of the profile only what is heard within the hour is downloaded, and the rest within them', async () => {
  const time = { now: '2026-03-02T09:00:00Z' }
  const files = [addFile(1, 1000), addFile(2, 1000)].map(file =>
    Object.assign(file, { durationSeconds: 4000 }),
  )
  const manifest = manifestOf(files, 1)
  Object.assign(manifest.publications[0] ?? {}, { activatedAt: time.now })
  Object.assign(manifest.settings, { downloadFrom: '22:00', downloadTo: '05:00' })
  const { media, manifests, downloads } = await startDownloads({ free: 500 * MB }, time)
  save(manifests, manifest)
  await eventually(() => expect([...media.held]).toEqual([files[0]?.sha256]))
  downloads.wake()
  // The queue has looked again: a file that the hour needs comes.
  const alert = addFile(3, 1000)
  const withAlert = { ...structuredClone(manifest), generation: 2 }
  withAlert.files.push(alert)
  save(manifests, withAlert)
  await eventually(() => expect(media.held).toContain(alert.sha256))
  expect(media.held).not.toContain(files[1]?.sha256)
  time.now = '2026-03-02T22:00:00Z'
  downloads.wake()
  await eventually(() => expect(media.held).toContain(files[1]?.sha256))
})

/** A store to which the server redirects, which has a file of the server. */
async function startStore(file: ManifestFile): Promise<StoreDouble> {
  const store = new StoreDouble()
  onTestFinished(() => store.stop())
  await store.start()
  store.takeFiles(server)
  server.signedAddressOf = () => store.addressOf(file.sha256)
  return store
}

test('Follows a redirect to the store that the server has named, once, without the token, and resumes by a further one', async () => {
  const file = addFile(1, 300_000)
  const store = await startStore(file)
  store.faults.set(file.sha256, ['truncate'])
  const { media, manifests, downloads, session, storeFaults } = await startDownloads({ free: 500 * MB })
  session.noteFileStore(store.origin)
  save(manifests, manifestOf([file], 1))
  // After what broke off, the server sends the rest, until it names the store again.
  await eventually(() => {
    downloads.wake()
    expect([...media.held]).toEqual([file.sha256])
  })
  expect(store.ranges).toEqual([undefined])
  expect(server.ranges).toEqual([expect.stringMatching(/^bytes=\d{5,}-$/)])
  expect(store.authorizations).toEqual([undefined])
  expect(storeFaults).toHaveLength(1)
  const next = addFile(2, 300_000)
  store.takeFiles(server)
  server.signedAddressOf = () => store.addressOf(next.sha256)
  writeFileSync(join(foldersOf(dataDir).media, `${next.sha256}.part`), Buffer.alloc(100_000, 2))
  session.noteFileStore(store.origin)
  save(manifests, manifestOf([file, next], 2))
  await eventually(() => expect(media.held).toContain(next.sha256))
  expect(store.ranges).toEqual([undefined, 'bytes=100000-'])
  expect(server.ranges).toHaveLength(1)
})

test('Follows no redirect to another host than the one that the server has named, and asks for none without a name', async () => {
  const [file, next] = [addFile(1, 1000), addFile(2, 1000)]
  const store = await startStore(file)
  const { media, manifests, session, storeFaults } = await startDownloads({ free: 500 * MB })
  save(manifests, manifestOf([file], 1))
  await eventually(() => expect([...media.held]).toEqual([file.sha256]))
  session.noteFileStore('http://store.example')
  save(manifests, manifestOf([file, next], 2))
  await eventually(() => expect(media.held).toContain(next.sha256))
  expect([store.authorizations, server.ranges]).toEqual([[], [undefined, undefined]])
  expect(storeFaults).toEqual(['http://store.example: the server has redirected to another address'])
})

test.each([
  { what: 'whose address has ended', refusals: [403] },
  { what: 'that redirects elsewhere', refusals: [], fault: 'redirect' as const },
  { what: 'that has other bytes', refusals: [], fault: 'garble' as const },
  { what: 'that sends a page', refusals: [], fault: 'page' as const },
])('Takes a file from the server instead of a store $what, and says so once', async ({ refusals, fault }) => {
  const file = addFile(1, 300_000)
  const store = await startStore(file)
  store.refusals.push(...refusals)
  if (fault) store.faults.set(file.sha256, [fault])
  store.redirectTo = server.url
  const { media, manifests, downloads, session, storeFaults } = await startDownloads({ free: 500 * MB })
  session.noteFileStore(store.origin)
  save(manifests, manifestOf([file], 1))
  await eventually(() => {
    downloads.wake()
    expect([...media.held]).toEqual([file.sha256])
  })
  expect([store.authorizations.length, server.ranges.length, storeFaults.length]).toEqual([1, 1, 1])
})

test('Takes a file from the server while the store does not answer, and from the store when it is named again', async () => {
  const [file, next] = [addFile(1, 1000), addFile(2, 1000)]
  const store = await startStore(file)
  await store.stop()
  const { media, manifests, session, storeFaults } = await startDownloads({ free: 500 * MB })
  session.noteFileStore(store.origin)
  save(manifests, manifestOf([file], 1))
  await eventually(() => expect([...media.held]).toEqual([file.sha256]))
  expect(storeFaults).toHaveLength(1)
  await store.start()
  server.signedAddressOf = () => store.addressOf(next.sha256)
  session.noteFileStore(store.origin)
  save(manifests, manifestOf([file, next], 2))
  await eventually(() => expect(media.held).toContain(next.sha256))
  expect([store.ranges.length, server.ranges.length]).toEqual([1, 1])
})
