import type { HoldingState } from '@floorcast/contract/publications.ts'
import { listPublicationDevices } from '@floorcast/contract/publications.ts'
import { addToGroup, removeFromGroup } from '@floorcast/contract/groups.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it, vi } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { notify } from '../../platform/database/notify.ts'
import { mergePublicationCounts } from '../../jobs/maintenance-queries.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from './publications-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [registerGroups, registerPlaylists, registerPublications, registerDeviceHost],
  })
})

/** A publication that is on for a group of devices, which report by heartbeats. */
async function newWave(names: readonly string[]) {
  const shop = await newShop(server)
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), new Date())
  const { uid, group } = await readyPublication(shop)
  const { token, scope } = shop
  const players: Awaited<ReturnType<typeof openPlayer>>[] = []
  for (const [n, name] of names.entries()) {
    const device = await makeDevice(scope, { name, storeNumber: `${n + 1}`, groupUid: group })
    players.push(await openPlayer(server, device.licenseKey))
  }
  await shop.turn(uid)
  const revision = async () =>
    (
      await scope.reads
        .selectFrom('publications')
        .select('revision')
        .where('uid', '=', uid)
        .executeTakeFirst()
    )?.revision ?? 0
  const report = async (n: number, missing: number, at?: number) => {
    const { params, token: playerToken } = players[n] ?? { params: {}, token: '' }
    const held = [{ publicationUid: uid, revision: at ?? (await revision()), missing }]
    await server.call(sendHeartbeat, { token: playerToken, params, body: makeHeartbeat({ held }) })
  }
  const list = (query: { state?: HoldingState; [name: string]: unknown } = {}) =>
    server.call(listPublicationDevices, { token, params: { id: uid }, query })
  const counts = async () => {
    const { devices, holding, missing, neverReported } = (await shop.card(uid)).readiness ?? {}
    return [devices, holding, missing, neverReported]
  }
  const leave = (n: number) =>
    server.call(removeFromGroup, { token, params: { device: players[n]?.deviceUid ?? '', group } })
  const join = (n: number) =>
    server.call(addToGroup, { token, params: { device: players[n]?.deviceUid ?? '', group } })
  return { ...shop, uid, report, list, counts, revision, leave, join }
}

it('the devices of a publication are counted as they report, and listed with the ones first that miss files', async () => {
  const wave = await newWave(['Berlin', 'Amsterdam', 'Cairo', 'Dublin'])
  expect(await wave.counts()).toEqual([4, 0, 0, 4])
  await wave.report(0, 3)
  await wave.report(2, 0)
  await wave.report(3, 1)
  expect(await wave.counts()).toEqual([4, 1, 2, 1])
  const { items, total } = await wave.list()
  expect(items.map(({ name, missing }) => [name, missing])).toEqual([
    ['Berlin', 3],
    ['Dublin', 1],
    ['Amsterdam', null],
    ['Cairo', 0],
  ])
  expect(total).toBe(4)
  expect(items[0]).toMatchObject({ storeNumber: '1', lastContactAt: server.clock.now.toISOString() })
  await wave.report(0, 0)
  expect(await wave.counts()).toEqual([4, 2, 1, 1])
})

it('the devices of a publication are filtered by state, searched by name and store number, sorted and paged', async () => {
  const wave = await newWave(['Berlin', 'Amsterdam', 'Cairo'])
  await wave.report(0, 3)
  await wave.report(2, 0)
  const names = async (query: Record<string, unknown>) =>
    (await wave.list(query)).items.map(({ name }) => name)
  expect(await names({ state: 'missing' })).toEqual(['Berlin'])
  expect(await names({ state: 'neverReported' })).toEqual(['Amsterdam'])
  expect(await names({ state: 'holding' })).toEqual(['Cairo'])
  expect(await names({ search: 'amst' })).toEqual(['Amsterdam'])
  expect(await names({ search: '3' })).toEqual(['Cairo'])
  expect(await names({ sort: 'name', dir: 'desc' })).toEqual(['Cairo', 'Berlin', 'Amsterdam'])
  expect(await wave.list({ state: 'holding', size: 1 })).toMatchObject({ total: 1 })
  expect(await wave.list({ search: 'a', size: 1 })).toMatchObject({ total: 2 })
  expect(await names({ sort: 'storeNumber' })).toEqual(['Berlin', 'Amsterdam', 'Cairo'])
  expect(await wave.list({ page: 2, size: 2 })).toMatchObject({ items: [{ name: 'Cairo' }], total: 3 })
})

it('the devices of a publication count for the revision alone that the publication has now', async () => {
  const wave = await newWave(['Berlin', 'Amsterdam'])
  await wave.report(0, 0)
  await wave.report(1, 0)
  await wave.turn(wave.uid)
  await wave.turn(wave.uid)
  expect(await wave.counts()).toEqual([2, 0, 0, 2])
  await wave.report(0, 0, 1)
  expect(await wave.counts()).toEqual([2, 0, 0, 2])
  await wave.report(0, 0)
  expect(await wave.counts()).toEqual([2, 1, 0, 1])
})

it('the devices of a publication count no more when they leave the group, whatever they still report', async () => {
  const wave = await newWave(['Berlin', 'Amsterdam'])
  await wave.report(0, 0)
  await wave.report(1, 2)
  await wave.leave(0)
  expect(await wave.counts()).toEqual([1, 0, 1, 0])
  await wave.report(0, 0)
  expect(await wave.counts()).toEqual([1, 0, 1, 0])
  await wave.join(0)
  expect(await wave.counts()).toEqual([2, 0, 1, 1])
  await wave.report(0, 0)
  expect(await wave.counts()).toEqual([2, 1, 1, 0])
})

it('the devices of a publication are counted the same after the maintenance has merged their reports', async () => {
  const wave = await newWave(['Berlin', 'Amsterdam', 'Cairo'])
  await wave.report(0, 0)
  await wave.turn(wave.uid)
  await wave.turn(wave.uid)
  await wave.report(1, 0)
  await wave.report(2, 4)
  await server.database.jobs.forClient(wave.scope.clientId).write(mergePublicationCounts)
  expect(await wave.counts()).toEqual([3, 1, 1, 1])
  const rows = await wave.scope.reads.selectFrom('publicationCounts').selectAll().execute()
  expect(rows).toMatchObject([{ revision: await wave.revision(), holding: 1, reported: 2 }])
  await wave.report(2, 0)
  await wave.report(0, 0)
  expect(await wave.counts()).toEqual([3, 3, 0, 0])
})

it('the devices of a publication are told to consoles when their reports change, and only then', async () => {
  const wave = await newWave(['Berlin', 'Amsterdam'])
  const heard: string[] = []
  const stop = server.context.bus.listen('live', {
    heard: words => heard.push(words.slice(1).join(' ')),
    missed: () => undefined,
  })
  /** The number of notices of the publication since the last call. The bus keeps the order of commits. */
  const news = async () => {
    const { clientId } = wave.scope
    await server.database.ingest.notices.flush()
    await wave.scope.write(writes => notify(writes, 'live', [clientId, 'all', 'heard']))
    await vi.waitFor(() => expect(heard).toContain('all heard'), 10_000)
    return heard.splice(0).filter(words => words === `publication ${wave.uid}`).length
  }
  await news()
  await wave.report(0, 2)
  expect(await news()).toBe(1)
  await wave.report(0, 2)
  expect(await news()).toBe(0)
  await wave.report(1, 0)
  expect(await news()).toBe(1)
  stop()
})

it('the devices of a publication are those of the own client', async () => {
  const [wave, other] = [await newWave(['Berlin']), await newShop(server)]
  const ask = (token: string, id: string) => server.ask(listPublicationDevices, { token, params: { id } })
  expect((await ask(other.token, wave.uid)).statusCode).toBe(404)
  expect((await ask(wave.token, uuidV7())).statusCode).toBe(404)
})
