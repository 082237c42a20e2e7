import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AgentRun } from '@floorcast/testing/agent-process.ts'
import { DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { mountDisk, mountFailingDisk, type SmallDisk } from '@floorcast/testing/small-disk.ts'
import { expect, onTestFinished, test } from 'vitest'

const MB = 1024 * 1024
/** Downloads leave 64 MB free, and the reserve takes 8. */
const DISK_BYTES = 100 * MB

const EVENTS = '/api/v2/iplay/send/list/'
const MEDIA = '/api/v2/iplay/media/'

/** A device that has reported its first plays of two songs. */
async function startPlaying(device: DeviceFixture, runtime = '') {
  const songs = [device.addSong(1, 1), device.addSong(2, 1.25)]
  device.publish(songs)
  const run = device.agent.start(device.server.url, { args: ['--heartbeat', '0.3'], runtime })
  await device.until(() => expect(device.played().length).toBeGreaterThan(1))
  return { run, songs }
}

async function makeDeviceOn(folder: string): Promise<DeviceFixture> {
  const device = await DeviceFixture.make(join(folder, 'data'))
  onTestFinished(() => device.tearDown())
  return device
}

/** The folder that systemd gives the agent. */
function makeRuntimeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-runtime-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Tells why an agent on the small disk does not do what a test waits for. */
const describe = ({ output }: AgentRun, { agent, server }: DeviceFixture, disk: SmallDisk) =>
  [
    `free ${disk.freeBytes()} bytes`,
    `log ${statSync(join(agent.dataDir, 'agent.db-wal'), { throwIfNoEntry: false })?.size} bytes`,
    `last heartbeat ${JSON.stringify(server.heartbeats.at(-1))}`,
    ...output,
  ].join('\n')

const codesOf = (device: DeviceFixture) =>
  device.server.events.flatMap(event => (event.kind === 'debug' ? event.code : []))
/** The numbers of a boot's events that the server has. */
const numbersOf = (device: DeviceFixture, bootId: string | undefined) =>
  device.server.events
    .flatMap(event => (event.bootId === bootId ? event.sequence : []))
    .toSorted((a, b) => a - b)
const countTo = (end: number) => Array.from({ length: end }, (_, index) => index + 1)

test('A full disk loses no play: events use the reserve, then the memory', async ({ skip }) => {
  const disk = mountDisk(DISK_BYTES) ?? skip()
  const device = await makeDeviceOn(disk.folder)
  const { run } = await startPlaying(device)
  const reserve = join(device.agent.dataDir, 'reserve')
  await device.until(() => expect(existsSync(reserve)).toBe(true))
  device.server.busyPaths.add(EVENTS)
  disk.fill('some', 0)
  const onReserve = await device.hearPlays(3)
  await device.until(() => expect(existsSync(reserve)).toBe(false))
  disk.fill('rest', 0)
  const inMemory = await device.hearPlays(3)
  device.server.busyPaths.clear()
  for (const startedAt of [...onReserve, ...inMemory])
    await device.until(() => expect(device.played().map(play => play.startedAt)).toContain(startedAt))
  await run.kill('SIGTERM')
  const numbers = numbersOf(device, device.server.events[0]?.bootId)
  expect(numbers).toEqual(countTo(numbers.length))
  expect(codesOf(device).filter(code => code === 'disk-full')).toHaveLength(1)
  expect(device.ofResult('failed')).toEqual([])
})

test('A kill on a full disk loses no play; other events in memory are a gap that the server sees', async ({
  skip,
}) => {
  const disk = mountDisk(DISK_BYTES) ?? skip()
  const device = await makeDeviceOn(disk.folder)
  // The memory of the machine is full too.
  const { run } = await startPlaying(device, join(disk.folder, 'runtime'))
  const [first] = device.server.events
  await device.until(() => expect(existsSync(join(device.agent.dataDir, 'reserve'))).toBe(true))
  await device.until(() => device.agent.truncateLog())
  device.server.busyPaths.add(EVENTS)
  disk.fill('some', 0)
  await device.until(() => expect(existsSync(join(device.agent.dataDir, 'reserve'))).toBe(false))
  await device.until(() => {
    // The agent would store events in the room that it or the system gives back later.
    disk.fill('rest', 0)
    const unstored = device.agent.countUnstored()
    if (unstored < 2) throw new Error(`${unstored} events unstored: ${describe(run, device, disk)}`)
  })
  const heard = await device.hearPlays(2)
  // A heartbeat names a track shortly before it plays.
  await device.until(() => expect(device.agent.playingSince()).toContain([...heard].at(-1)))
  await run.kill('SIGKILL')
  for (const name of ['some', 'rest']) disk.free(name)
  device.server.busyPaths.clear()
  device.agent.start(device.server.url, { runtime: join(disk.folder, 'runtime') })
  await device.until(() => expect(codesOf(device)).toContain('events-lost'))
  // Those that had ended, and the one in progress.
  const reported = () => new Set(device.played().map(({ startedAt }) => startedAt))
  await device.until(() => expect([...heard].filter(startedAt => !reported().has(startedAt))).toEqual([]))
  const last = device.server.events.find(event => event.kind === 'debug' && event.code === 'events-lost')
  const numbers = numbersOf(device, first?.bootId)
  expect(numbers).toContain(last?.sequence)
  expect(numbers.length).toBeLessThan(numbers.at(-1) ?? 0)
})

test('A disk that becomes read-only while the agent plays stops neither music nor reports, nor does a start on it', async ({
  skip,
}) => {
  const disk = mountFailingDisk(DISK_BYTES) ?? skip()
  const device = await makeDeviceOn(disk.folder)
  const runtime = makeRuntimeFolder()
  const { run, songs } = await startPlaying(device, runtime)
  disk.fail()
  for (const startedAt of await device.hearPlays(3))
    await device.until(() => expect(device.played().map(play => play.startedAt)).toContain(startedAt))
  expect(codesOf(device)).toContain('disk-not-writable')
  await run.kill('SIGKILL')
  const bootIds = new Set(device.server.events.map(({ bootId }) => bootId))
  device.server.busyPaths.add(MEDIA)
  const again = device.agent.start(device.server.url, { args: ['--heartbeat', '0.3'], runtime })
  await device.hearPlays(3)
  await again.kill('SIGTERM')
  const ofNewBoot = device.played().filter(({ bootId }) => !bootIds.has(bootId))
  expect(ofNewBoot.filter(({ result }) => result === 'complete').length).toBeGreaterThan(1)
  expect(new Set(ofNewBoot.map(({ sha256 }) => sha256))).toEqual(new Set(songs.map(({ sha256 }) => sha256)))
})

test('Kills on a read-only disk lose no event: what the disk does not take is in the runtime folder until it does', async ({
  skip,
}) => {
  const disk = mountFailingDisk(DISK_BYTES) ?? skip()
  const device = await makeDeviceOn(disk.folder)
  const runtime = makeRuntimeFolder()
  const options = { args: ['--heartbeat', '0.3'], runtime }
  const songs = [device.addSong(1, 1), device.addSong(2, 1.25)]
  device.publish(songs)
  let run = device.agent.start(device.server.url, options)
  await device.until(() => expect(device.played().length).toBeGreaterThan(1))
  device.server.busyPaths.add(EVENTS)
  disk.fail()
  const progress = () =>
    readFileSync(join(runtime, readdirSync(runtime)[0] ?? '', 'progress'), { encoding: 'utf8' })
  const heard: string[] = []
  // The second start has the store in a copy, with which the third one goes on.
  for (let start = 1; start <= 3; start += 1) {
    heard.push(...(await device.hearPlays(3)))
    // A heartbeat names a track shortly before it plays.
    await device.until(() => expect(progress()).toContain(heard.at(-1)))
    await run.kill('SIGKILL')
    if (start === 3) await disk.mend()
    run = device.agent.start(device.server.url, options)
  }
  device.server.busyPaths.clear()
  const reported = () => new Set(device.played().map(({ startedAt }) => startedAt))
  // Those that had ended, and those in progress.
  await device.until(() => expect(heard.filter(startedAt => !reported().has(startedAt))).toEqual([]))
  expect(codesOf(device)).not.toContain('events-lost')
  const bootIds = new Set(device.server.events.map(({ bootId }) => bootId))
  expect(bootIds.size).toBeGreaterThanOrEqual(3)
  for (const bootId of bootIds) {
    const numbers = numbersOf(device, bootId)
    expect(numbers).toEqual(countTo(numbers.length))
  }
  await device.until(async () => expect(await readdir(runtime, { recursive: true })).toEqual([]))
  expect(await run.kill('SIGTERM')).toBe(0)
})

deviceTest.concurrent(
  'A deleted media folder is restored from the open files without the server, and no play fails',
  async ({ device }) => {
    const { songs } = await startPlaying(device)
    const folder = join(device.agent.dataDir, 'media')
    const fetched = device.server.ranges.length
    device.server.busyPaths.add(MEDIA)
    rmSync(folder, { recursive: true })
    await device.hearPlays(4)
    await device.until(async () =>
      expect((await readdir(folder)).toSorted()).toEqual(songs.map(({ sha256 }) => sha256).toSorted()),
    )
    await device.hearPlays(2)
    expect(device.server.ranges.length).toBe(fetched)
    expect(device.ofResult('failed')).toEqual([])
  },
)

deviceTest.concurrent(
  'A data folder that is deleted while the agent runs is made again whole: a restart without the server plays',
  async ({ device }) => {
    const { run } = await startPlaying(device)
    rmSync(device.agent.dataDir, { recursive: true })
    await device.hearPlays(3)
    await device.until(() => expect(codesOf(device)).toContain('data-folder-restored'))
    await device.until(() => expect(existsSync(join(device.agent.dataDir, 'media'))).toBe(true))
    await run.kill('SIGTERM')
    expect(device.server.events).toEqual(await device.agent.readEvents())
    expect(device.ofResult('failed')).toEqual([])
    await device.server.stop()
    const before = device.agent.countPlays()
    device.agent.start(device.server.url)
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 1))
    await device.server.start()
    await device.until(() => expect(device.server.channels).toBe(1))
  },
)

deviceTest.concurrent(
  'A damaged database is made again at the start, and what is in it is reported',
  async ({ device }) => {
    const { run } = await startPlaying(device)
    await run.kill('SIGTERM')
    const path = join(device.agent.dataDir, 'agent.db')
    const database = new DatabaseSync(path)
    const row = database.prepare(`select rootpage from sqlite_master where name = 'quarantine'`).get()
    database.close()
    writeSync(openSync(path, 'r+'), randomBytes(4096), 0, 4096, (Number(row?.['rootpage']) - 1) * 4096)
    const before = device.played().length
    const again = device.agent.start(device.server.url, { args: ['--supervise'] })
    await device.until(() => expect(device.played().length).toBeGreaterThan(before + 1))
    expect(codesOf(device)).toContain('store-rebuilt')
    expect(device.server.sessions).toBe(2)
    expect(await again.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'A start that fails ends at once, and only with settings that no restart mends for good',
  async ({ device }) => {
    const file = join(device.agent.dataDir, 'a file')
    writeFileSync(file, '')
    const cases: [string[], number][] = [
      [['--no-such-option'], 2],
      [['--heartbeat', 'often'], 2],
      [['--data', join(file, 'data')], 0],
    ]
    const runs = cases.map(([args]) => device.agent.start(device.server.url, { args }))
    await device.until(() => expect(device.server.sessions).toBe(1))
    await runs[2]?.kill('SIGTERM')
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual(cases.map(([, code]) => code))
  },
)

deviceTest.concurrent(
  'A machine that lost its data folder gets its session again with the same license key',
  async ({ device }) => {
    const { run } = await startPlaying(device)
    await run.kill('SIGKILL')
    rmSync(device.agent.dataDir, { recursive: true })
    const before = device.played().length
    device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThan(before + 1))
    expect(device.server.sessions).toBe(2)
  },
)
