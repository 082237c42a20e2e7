import { previewManyDevices } from '@floorcast/contract/bulk-calls.ts'
import { listDeviceFilterValues } from '@floorcast/contract/device-filters.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { deleteGroup } from '@floorcast/contract/groups.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication, type Shop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from './devices-routes.ts'
import { registerDeviceBulk } from '../device-bulk/device-bulk-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [
      registerDevices,
      registerDeviceBulk,
      registerGroups,
      registerPlaylists,
      registerPublications,
      registerDeviceHost,
    ],
  })
})

type Query = Record<string, unknown>

const withLists = (shop: Shop) => {
  const { token } = shop
  /** The names of the devices that a filter finds; the total has to be their number. */
  const names = async (query: Query) => {
    const { items, total } = await server.call(listDevices, { token, query: { sort: 'name', ...query } })
    expect(total).toBe(items.length)
    return items.map(({ name }) => name)
  }
  const values = (filter: string, query: Query = {}) =>
    server.call(listDeviceFilterValues, { token, params: { filter }, query })
  const device = (name: string, groupUid?: string) =>
    makeDevice(shop.scope, groupUid === undefined ? { name } : { name, groupUid })
  return { ...shop, names, values, device }
}
const openShop = async () => withLists(await newShop(server))

it('the filter by group finds the devices of several groups, and those in none', async () => {
  const shop = await openShop()
  const [north, south, west] = [
    await makeGroup(shop.scope, { name: 'North' }),
    await makeGroup(shop.scope, { name: 'South' }),
    await makeGroup(shop.scope, { name: 'West' }),
  ]
  await shop.device('Bergen', north)
  await shop.device('Lagos', south)
  await shop.device('Porto', west)
  await shop.device('Store room')
  expect(await shop.names({ group: north })).toEqual(['Bergen'])
  expect(await shop.names({ group: `${north},${south}` })).toEqual(['Bergen', 'Lagos'])
  expect(await shop.names({ group: 'none' })).toEqual(['Store room'])
  expect(await shop.names({ group: `none,${west}` })).toEqual(['Porto', 'Store room'])
  expect(await shop.names({ group: `none,${west}`, search: 'porto' })).toEqual(['Porto'])
  expect(await shop.names({ group: uuidV7() })).toEqual([])
})

it.each([',', 'none,', 'North', Array.from({ length: 51 }, () => 'none').join(',')])(
  'the filter by group refuses %j',
  async group => {
    const { token } = await openShop()
    const { statusCode } = await server.ask(listDevices, { token, query: { group } })
    expect(statusCode).toBe(422)
  },
)

it('the filter by playlist finds the devices for which it is on the air, and those for which nothing is', async () => {
  const shop = await openShop()
  const morning = await readyPublication(shop)
  const evening = await readyPublication(shop)
  const later = await readyPublication(shop)
  await shop.turn(morning.uid)
  await shop.turn(evening.uid)
  await shop.delay(later.uid, new Date(server.clock.now.getTime() + 3_600_000).toISOString())
  await shop.device('Bergen', morning.group)
  await shop.device('Lagos', evening.group)
  await shop.device('Porto', later.group)
  await shop.device('Store room')
  const both = `${morning.playlist},${evening.playlist}`
  expect(await shop.names({ playlist: morning.playlist })).toEqual(['Bergen'])
  expect(await shop.names({ playlist: both })).toEqual(['Bergen', 'Lagos'])
  expect(await shop.names({ playlist: later.playlist })).toEqual([])
  expect(await shop.names({ playlist: 'none' })).toEqual(['Porto', 'Store room'])
  expect(await shop.names({ playlist: `none,${evening.playlist}` })).toEqual(['Lagos', 'Porto', 'Store room'])
  await shop.turn(evening.uid)
  expect(await shop.names({ playlist: both })).toEqual(['Bergen'])
  server.clock.now = new Date(server.clock.now.getTime() + 3_600_001)
  expect(await shop.names({ playlist: later.playlist })).toEqual(['Porto'])
})

it('the filter by missing files finds the devices that miss some of the present revision, until they have them', async () => {
  const shop = await openShop()
  const { uid, group } = await readyPublication(shop)
  const players = [
    await openPlayer(server, (await shop.device('Bergen', group)).licenseKey),
    await openPlayer(server, (await shop.device('Lagos', group)).licenseKey),
    await openPlayer(server, (await shop.device('Porto', group)).licenseKey),
  ]
  await shop.turn(uid)
  const report = async (nr: number, missing: number) => {
    const { revision } = await shop.scope.reads
      .selectFrom('publications')
      .select('revision')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    const held = [{ publicationUid: uid, revision, missing }]
    await server.call(sendHeartbeat, { ...players[nr], body: makeHeartbeat({ held }) })
  }
  await report(0, 2)
  await report(1, 0)
  expect(await shop.names({ files: 'missing' })).toEqual(['Bergen'])
  await report(0, 0)
  await report(2, 1)
  expect(await shop.names({ files: 'missing' })).toEqual(['Porto'])
  // Off, and on again: what it missed of the former revision is of no interest.
  await shop.turn(uid)
  expect(await shop.names({ files: 'missing' })).toEqual([])
  await shop.turn(uid)
  expect(await shop.names({ files: 'missing' })).toEqual([])
  await report(1, 3)
  expect(await shop.names({ files: 'missing', group })).toEqual(['Lagos'])
})

/** A shop whose devices run versions of the program; null: it has never reported. */
async function shopOfVersions(versions: Readonly<Record<string, string | null>>) {
  const shop = await openShop()
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), new Date())
  for (const [name, programVersion] of Object.entries(versions)) {
    const { licenseKey } = await shop.device(name)
    if (programVersion === null) continue
    const player = await openPlayer(server, licenseKey)
    await server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ programVersion }) })
  }
  return shop
}

it('the filter by version finds the devices with one of several, those whose name has a comma, and those that reported none', async () => {
  const shop = await shopOfVersions({
    Bergen: '2.1.0',
    Lagos: '2.2.0',
    Malmö: '2.2.0',
    Porto: 'lab, 7',
    Quito: '',
    'Store room': null,
  })
  expect(await shop.names({ version: '2.1.0' })).toEqual(['Bergen'])
  expect(await shop.names({ version: '2.1.0,2.2.0' })).toEqual(['Bergen', 'Lagos', 'Malmö'])
  expect(await shop.names({ version: '2.1.0,none' })).toEqual(['Bergen', 'Quito', 'Store room'])
  const { values, more } = await shop.values('version')
  expect(values).toEqual([
    { value: '2.2.0', name: '2.2.0', count: 2 },
    { value: 'none', name: 'none', count: 2 },
    { value: '2.1.0', name: '2.1.0', count: 1 },
    { value: 'lab  7', name: 'lab  7', count: 1 },
  ])
  expect(more).toBe(false)
  expect(await shop.names({ version: 'lab  7' })).toEqual(['Porto'])
  const found = await shop.values('version', { search: 'LAB' })
  expect(found.values.map(({ value }) => value)).toEqual(['lab  7'])
})

it('every filter works in bulk selections and in the export as in the list', async () => {
  const shop = await shopOfVersions({ Bergen: '2.1.0', Lagos: '2.2.0' })
  const { uid, group, playlist } = await readyPublication(shop)
  const { licenseKey } = await shop.device('Porto', group)
  const player = await openPlayer(server, licenseKey)
  await shop.turn(uid)
  const { revision } = await shop.scope.reads
    .selectFrom('publications')
    .select('revision')
    .executeTakeFirstOrThrow()
  const held = [{ publicationUid: uid, revision, missing: 1 }]
  await server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ held, programVersion: '2.2.0' }) })
  const expected = [
    [{ group }, ['Porto']],
    [{ group: 'none' }, ['Bergen', 'Lagos']],
    [{ playlist }, ['Porto']],
    [{ playlist: 'none' }, ['Bergen', 'Lagos']],
    [{ files: 'missing' }, ['Porto']],
    [{ version: '2.2.0' }, ['Lagos', 'Porto']],
    [{ version: '2.2.0', playlist: `none,${playlist}`, search: 'lagos' }, ['Lagos']],
  ] as const
  for (const [filter, devices] of expected) {
    expect(await shop.names(filter)).toEqual(devices)
    const plan = await server.call(previewManyDevices, {
      token: shop.token,
      body: { items: { filter, except: [] }, action: { do: 'restart' } },
    })
    expect(plan).toMatchObject({ count: devices.length, leftOut: [] })
    const csv = await server.ask(exportLicenseKeys, { token: shop.token, body: { filter } })
    const lines = csv.body.trim().split(/\r?\n/).slice(1)
    expect(lines.map(line => line.split(',')[0])).toEqual(devices)
  }
})

it('every filter keeps to the own client', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { uid, group, playlist } = await readyPublication(other)
  await other.device('Bergen', group)
  await other.turn(uid)
  expect(await shop.names({ group })).toEqual([])
  expect(await shop.names({ playlist })).toEqual([])
  expect(await shop.values('group', { chosen: group })).toEqual({ values: [], more: false, chosen: [] })
  expect(await shop.values('version')).toEqual({ values: [], more: false, chosen: [] })
})

it('the values of a filter are found by their names without accents, twenty at a time, with the names of those that are chosen', async () => {
  const shop = await openShop()
  const uids: string[] = []
  for (let nr = 0; nr < 21; nr++)
    uids.push(await makeGroup(shop.scope, { name: `Málaga ${String(nr).padStart(2, '0')}` }))
  const lisboa = await makeGroup(shop.scope, { name: 'Lisboa' })
  const first = await shop.values('group')
  expect(first).toMatchObject({ more: true, chosen: [] })
  expect(first.values).toHaveLength(20)
  expect(first.values[0]).toEqual({ value: lisboa, name: 'Lisboa', count: null })
  const found = await shop.values('group', { search: '20 malaga', chosen: `none,${lisboa}` })
  expect(found).toEqual({
    values: [{ value: uids[20], name: 'Málaga 20', count: null }],
    more: false,
    chosen: [{ uid: lisboa, name: 'Lisboa' }],
  })
})

it('the values of a filter are the playlists of the client, and nothing that is in the bin', async () => {
  const shop = await openShop()
  const playlist = await shop.emptyPlaylist()
  const group = await shop.group()
  const { values } = await shop.values('playlist', { search: 'morning' })
  expect(values).toEqual([{ value: playlist, name: 'Morning mix', count: null }])
  await server.call(deleteGroup, { token: shop.token, body: { uid: group } })
  expect(await shop.values('group', { chosen: group })).toEqual({ values: [], more: false, chosen: [] })
})
