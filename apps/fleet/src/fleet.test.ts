import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAlertDevices } from '@floorcast/contract/alert-devices.ts'
import { beginAlert, endAlert, listAlerts } from '@floorcast/contract/alerts.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { listDeviceCommands, sendCommand } from '@floorcast/contract/device-commands.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { makeBucket, settingsOf, startS3rver, startStoreFront } from '@floorcast/testing/s3-stores.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Fault, FAULTS, faultOf } from './faults.ts'
import { Fleet } from './fleet.ts'
import { simulatedHardwareId } from '@floorcast/contract/simulated-hardware-id.ts'
import { collectLicenseKeys } from './license-keys.ts'
import { readOptions } from './options.ts'

const server = await wholeServer()
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const folder = mkdtempSync(join(tmpdir(), 'floorcast-fleet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const optionsOf = (keysFile: string, email: string, groupUid: string) =>
  readOptions(
    ['--devices', '3', '--server', origin, '--keys', keysFile, '--email', email, '--group', groupUid],
    { FLEET_PASSWORD: 'a long password' },
  )

/** A group with a publication of two songs that is not active yet. */
async function makePublication(seconds = [3, 4], at = server) {
  const shop = await newShop(at)
  const group = await shop.group()
  await shop.turnGroup(group)
  const playlist = await shop.emptyPlaylist()
  for (const [index, length] of seconds.entries()) {
    const bytes = makeSong({ notes: [index, 3, 5], seconds: length })
    const { uid = '' } = await uploader(at).upload(shop.token, 'melodies', {
      bytes,
      name: `song ${index}.mp3`,
    })
    await at.call(addTrack, { token: shop.token, params: { track: uid, playlist } })
  }
  await shop.turnPlaylist(playlist)
  return { shop, group, publication: (await shop.publish(group, playlist)).uid ?? '' }
}

test('a fleet tells each change of track when it happens, and what it does else', async () => {
  const { shop, group, publication } = await makePublication()
  const options = optionsOf(join(folder, `${group}.json`), shop.email, group)
  const licenseKeys = (await collectLicenseKeys(options)).slice(0, 1)
  const onRefused = vi.fn<(number: number, error: unknown) => void>()
  // The interval alone would tell nothing within this test.
  const fleet = new Fleet({ server: origin, licenseKeys, speed: 1, heartbeatSeconds: 3600, onRefused })
  onTestFinished(() => fleet.stop())
  await fleet.start()
  const card = async () => {
    const { items } = await server.call(listDevices, { token: shop.token, query: { connectivity: 'online' } })
    return items[0]
  }
  await eventually(async () => expect(await card()).toMatchObject({ silentReason: 'no-publication' }))
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  const told = new Set<string | undefined>()
  await eventually(async () => {
    told.add((await card())?.nowPlaying?.startedAt)
    expect(told.size).toBeGreaterThan(3)
  })
  await fleet.stop()
  expect(await card()).toMatchObject({ silentReason: 'stopped', nowPlaying: null })
})

/** Raises the limit of the trial's plan. */
const allowDevices = (devices: number) =>
  asSuperuser(server.superuserUrl, superuser =>
    superuser.query('update plans set device_limit = greatest(device_limit, $1)', [devices]),
  )

const storedPlays = (shop: Shop) =>
  shop.scope.reads
    .selectFrom('plays')
    .select(['deviceUid', 'trackName', 'result', 'scheduledAt'])
    .orderBy('deviceUid')
    .orderBy('sequence')
    .execute()

test('a fleet registers its devices, receives a publication and plays it, and the server stores each play once', async () => {
  const { shop, group, publication } = await makePublication()
  const keysFile = join(folder, 'deep', 'keys.json')
  const options = optionsOf(keysFile, shop.email, group)
  const licenseKeys = await collectLicenseKeys(options)
  expect(JSON.parse(readFileSync(keysFile, 'utf8'))).toEqual(licenseKeys)
  expect(await collectLicenseKeys({ ...options, credentials: null })).toEqual(licenseKeys)
  const onRefused = vi.fn<(number: number, error: unknown) => void>()
  const fleet = new Fleet({ server: origin, licenseKeys, speed: 20, heartbeatSeconds: 0.5, onRefused })
  onTestFinished(() => fleet.stop())
  await fleet.start()
  await eventually(() => expect(fleet.metrics.connected).toBe(3))
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  await eventually(async () => expect((await shop.card(publication)).readiness).toMatchObject({ holding: 3 }))
  const before = fleet.metrics.plays
  await eventually(() => expect(fleet.metrics.plays).toBeGreaterThan(before + 18))
  const { uid } = await shop.scope.reads.selectFrom('devices').select('uid').executeTakeFirstOrThrow()
  const one = { token: shop.token, params: { uid } }
  await server.call(sendCommand, { ...one, body: { command: 'identify' } })
  await server.call(sendCommand, { ...one, body: { command: 'send-log' } })
  await eventually(async () =>
    expect(await server.call(listDeviceCommands, one)).toMatchObject({
      commands: [{ state: 'followed' }, { state: 'failed', why: 'no-sound' }],
      log: { contentType: 'text/plain' },
    }),
  )
  await fleet.stop()
  const { plays, events, heartbeats, channels } = fleet.metrics.summary()
  const stored = await storedPlays(shop)
  expect(stored).toHaveLength(plays)
  // Each of the three reports the publication that it begins.
  expect(events).toMatchObject({ accepted: plays + 3, refused: 0 })
  expect(heartbeats.acknowledged).toBeGreaterThanOrEqual(3)
  expect([heartbeats.errors, channels.dropped, channels.replaced]).toEqual([0, 0, 0])
  expect(onRefused).not.toHaveBeenCalled()
  const byDevice = Map.groupBy(stored, play => play.deviceUid)
  expect(byDevice.size).toBe(3)
  for (const own of byDevice.values()) {
    // The other song's first play may start in the middle of the loop; the plays after it must follow the loop, until the fleet stops:
    // in the middle of a play, or between two.
    const steadyPlays = own.slice(own.findIndex(play => play.trackName !== own[0]?.trackName) + 1, -1)
    expect(['cut', 'complete']).toContain(own.at(-1)?.result)
    expect(steadyPlays.length).toBeGreaterThan(2)
    for (const [index, play] of steadyPlays.entries()) {
      expect(play.result).toBe('complete')
      expect(play.trackName).not.toBe(steadyPlays[index + 1]?.trackName)
    }
  }
})

test('a later run is the same player device; a key that is bound to another one is refused and reported', async () => {
  const shop = await newShop(server)
  const keysFile = join(folder, 'again.json')
  const licenseKeys = await collectLicenseKeys({
    ...optionsOf(keysFile, shop.email, await shop.group()),
    devices: 1,
  })
  expect(simulatedHardwareId('a')).not.toBe(simulatedHardwareId('b'))
  for (const keys of [licenseKeys, licenseKeys, ['nobody’s key']]) {
    const onRefused = vi.fn<(number: number, error: unknown) => void>()
    const fleet = new Fleet({
      server: origin,
      licenseKeys: keys,
      speed: 1,
      heartbeatSeconds: null,
      onRefused,
    })
    await fleet.start()
    const isOurs = keys === licenseKeys
    await eventually(() => {
      expect(fleet.metrics.connected).toBe(isOurs ? 1 : 0)
      expect(onRefused).toHaveBeenCalledTimes(isOurs ? 0 : 1)
    })
    await fleet.stop()
  }
})

test('a manifest that a device fetches because a heartbeat names another alert is counted so', async () => {
  const shop = await newShop(server)
  const licenseKeys = await collectLicenseKeys({
    ...optionsOf(join(folder, 'alert.json'), shop.email, await shop.group()),
    devices: 1,
  })
  const onRefused = vi.fn<(number: number, error: unknown) => void>()
  const fleet = new Fleet({ server: origin, licenseKeys, speed: 1, heartbeatSeconds: 0.2, onRefused })
  onTestFinished(() => fleet.stop())
  await fleet.start()
  await eventually(() => expect(fleet.metrics.summary().manifests.acknowledged).toBeGreaterThan(0))
  expect(fleet.metrics.manifestsByCause.alert).toBe(0)
  await server.call(beginAlert, { token: shop.token, params: { uid: 'all', alerttype: 'air' } })
  await eventually(() => expect(fleet.metrics.manifestsByCause.alert).toBeGreaterThan(0))
})

test('an alert interrupts what a fleet plays and sounds until its end, but where the player is broken', async () => {
  const { shop, group, publication } = await makePublication([90, 90])
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  const licenseKeys = await collectLicenseKeys(optionsOf(join(folder, 'sounds.json'), shop.email, group))
  const onRefused = vi.fn<(number: number, error: unknown) => void>()
  const faulty = { faultyShare: 1 / 3, faults: ['player-broken'] } as const
  const fleet = new Fleet({
    server: origin,
    licenseKeys,
    speed: 1,
    heartbeatSeconds: 1,
    onRefused,
    ...faulty,
  })
  onTestFinished(() => fleet.stop())
  await fleet.start()
  const { token } = shop
  const states = async () => {
    const { items } = await server.call(listDevices, { token })
    return new Set(items.map(({ silentReason }) => silentReason))
  }
  await eventually(async () => expect(await states()).toEqual(new Set(['player-broken', null])))
  const params = { uid: group, alerttype: 'air' } as const
  const { uid = '' } = await server.call(beginAlert, { token, params, query: { drill: '1' } })
  const card = async () => (await server.call(listAlerts, { token })).items[0]
  await eventually(async () => expect(await card()).toMatchObject({ deviceCount: 3, soundedCount: 2 }))
  await eventually(async () => expect(await states()).toEqual(new Set(['alert', 'player-broken'])))
  await server.call(endAlert, { token, params })
  await eventually(async () => expect(await states()).toEqual(new Set(['player-broken', null])))
  await fleet.stop()
  const { items } = await server.call(listAlertDevices, { token, params: { uid } })
  expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['ended', 'received']))
  // Each step is in the log too, and the publication that a device begins.
  const { events, plays, alerts } = fleet.metrics.summary()
  expect([events.accepted, alerts.received]).toEqual([plays + 6 + 2, 2])
  expect(fleet.faultyMetrics.summary().events.accepted).toBe(1)
  const cuts = shop.scope.reads.selectFrom('plays').select('why').where('result', '=', 'cut')
  const cut = await cuts.orderBy('why').execute()
  expect(cut.map(({ why }) => why)).toEqual(['agent-stopped', 'agent-stopped', 'alert', 'alert'])
})

test.each([
  [['--server', 'http://x'], '--devices N'],
  [['--devices', '0', '--server', 'http://x'], '--devices must be'],
  [['--devices', '2', '--server', 'x'], '--server URL'],
  [['--devices', '2', '--server', 'http://x', '--hours-ago', '30d'], '--hours-ago must be'],
  [['--devices', '2', '--server', 'http://x', '--speed', 'fast'], '--speed must be'],
  [['--devices', '2', '--server', 'http://x', '--email', 'a@b.c'], '--email and --password'],
  [['--devices', '2', '--server', 'http://x', '--addresses', '2'], '--addresses needs'],
])('a wrong command line is refused with the correct form: %j', (args, words) => {
  expect(() => readOptions(args, {})).toThrow(words)
})

test('a share of the devices has faults, spread over the fleet', () => {
  const faults = Array.from({ length: 1000 }, (_, number) => faultOf(number, 0.01, FAULTS))
  expect(faults.flatMap((fault, number) => (fault ? [number] : []))).toEqual(
    Array.from({ length: 10 }, (_, nr) => nr * 100 + 99),
  )
  expect(faults.filter(fault => fault !== null)).toEqual(FAULTS)
  expect(Array.from({ length: 20 }, (_, number) => faultOf(number, 0, FAULTS))).not.toContain('slow')
})

/** Runs as many devices with these faults as without, and returns their counts and what was stored. */
async function runWithFaults(faults: readonly Fault[]) {
  const { shop, group, publication } = await makePublication()
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  const devices = faults.length * 2
  await allowDevices(devices)
  const credentials = { email: shop.email, password: 'a long password' }
  const keysFile = join(folder, `faulty-${shop.email}`, 'keys.json')
  const options = { ...optionsOf(keysFile, shop.email, group), devices, credentials }
  const fleet = new Fleet({
    server: origin,
    licenseKeys: await collectLicenseKeys(options),
    speed: 20,
    heartbeatSeconds: 0.5,
    holdsAll: true,
    faultyShare: 0.5,
    faults,
    onRefused: () => undefined,
  })
  onTestFinished(() => fleet.stop())
  await fleet.start()
  expect(fleet.faultyDevices).toEqual(Object.fromEntries(faults.map(fault => [fault, 1])))
  await eventually(() => expect(fleet.metrics.connected).toBe(faults.length))
  await eventually(() => expect(fleet.metrics.plays).toBeGreaterThan(faults.length * 15))
  await fleet.stop()
  const { plays, events, channels } = fleet.metrics.summary()
  const accepted = plays + faults.length
  expect(events).toMatchObject({ accepted, duplicates: 0, refused: 0, lost: 0 })
  expect(channels).toMatchObject({ dropped: 0, replaced: 0 })
  const stored = await shop.scope.reads.selectFrom('plays').select(['eventUid', 'deviceUid']).execute()
  expect(new Set(stored.map(play => play.eventUid)).size).toBe(stored.length)
  const faulty = fleet.faultyMetrics.summary()
  expect(stored.length).toBeLessThanOrEqual(plays + faulty.plays)
  return { plays, faulty, stored }
}

test('devices with faults neither disturb the others nor double a play', async () => {
  const faults = FAULTS.filter(fault => fault !== 'corrupt')
  const { plays, faulty, stored } = await runWithFaults(faults)
  // Each reports the publication that it begins, if it can.
  expect(stored.length).toBeGreaterThanOrEqual(plays + faulty.events.accepted - faults.length)
  expect(new Set(stored.map(play => play.deviceUid)).size).toBeGreaterThan(faults.length)
})

test('a line that changes bytes of answers, such as the number of stored plays, neither loses nor doubles one of others', async () => {
  const { plays, stored } = await runWithFaults(['corrupt'])
  expect(stored.length).toBeGreaterThanOrEqual(plays)
})

test('a fleet takes its files from the store to which the server redirects', async () => {
  const s3 = await startS3rver()
  const front = await startStoreFront(s3)
  const bucket = settingsOf(s3, await makeBucket(s3, 'floor-files'))
  const redirects = { S3_REDIRECT: 'yes', S3_PUBLIC_ENDPOINT: front.endpoint }
  const other = await wholeServer({ ...bucket, ...redirects, PUBLIC_URL: 'http://localhost' })
  const at = await other.http.app.listen({ port: 0, host: '127.0.0.1' })
  const { shop, group, publication } = await makePublication([3, 4], other)
  const options = { ...optionsOf(join(folder, `${group}.json`), shop.email, group), server: at }
  const onRefused = vi.fn<(number: number, error: unknown) => void>()
  const licenseKeys = (await collectLicenseKeys(options)).slice(0, 1)
  const fleet = new Fleet({ server: at, licenseKeys, speed: 1, heartbeatSeconds: 0.2, onRefused })
  onTestFinished(() => fleet.stop())
  await fleet.start()
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  await eventually(() =>
    expect(front.sent.map(({ authorization }) => authorization)).toEqual([undefined, undefined]),
  )
})
