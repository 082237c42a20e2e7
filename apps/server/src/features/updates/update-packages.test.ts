import { readAudit } from '@floorcast/contract/audit.ts'
import * as deploys from '@floorcast/contract/deploy-packages.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as channels from '@floorcast/contract/update-channels.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop } from '@floorcast/testing/test-updates.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUpdates } from './updates-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerGroups, registerUpdates, registerAudit] })
})

const errorsOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors

it('packages are made, listed, found, ordered by version, changed as drafts only and deleted', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const [nine, ten] = [
    await shop.addPackage({ version: '2.9', name: 'Player nine', category: 'Trial run' }),
    await shop.addPackage({ version: '2.10', name: 'Player ten', description: 'Faster "starts"' }),
  ]
  const list = async (query: object) =>
    (await server.call(packages.listPackages, { token, query })).items.map(({ uid }) => uid)
  expect(await list({ sort: 'version' })).toEqual([nine, ten])
  expect(await list({ sort: 'version', dir: 'desc', size: 1 })).toEqual([ten])
  expect(await list({ search: 'faster player' })).toEqual([ten])
  expect(await list({ category: 'Trial run' })).toEqual([nine])
  expect(await list({ state: 'released' })).toEqual([])
  const badSort = await server.ask(packages.listPackages, { token, query: { sort: 'secrets' } })
  expect(badSort.statusCode).toBe(422)
  const edit = (body: object) => server.ask(packages.editPackage, { token, body: { uid: nine, ...body } })
  expect((await edit({ version: '2.9.1', recordVersion: 1 })).statusCode).toBe(200)
  expect((await edit({ version: '2.9.2', recordVersion: 1 })).statusCode).toBe(409)
  expect(errorsOf(await edit({ version: 'new' }))).toMatchObject([{ path: 'version', message: 'version' }])
  expect(await shop.card(nine)).toMatchObject({ version: '2.9.1', name: 'Player nine', recordVersion: 2 })
  await shop.upload(nine, { bytes: Buffer.from('nine') })
  await shop.rotatePackage(nine)
  expect((await edit({ name: 'Renamed' })).json()).toEqual({ data: { code: 400, reason: 'not-a-draft' } })
  const remove = () => server.ask(packages.deletePackage, { token, body: { uid: nine } })
  expect((await remove()).json()).toEqual({ data: { code: 200 } })
  expect((await remove()).statusCode).toBe(404)
  expect(await list({})).toEqual([ten])
})

it('packages that a channel has are not deleted, nor channels that have packages: 409 with the names', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const packageUid = await shop.addPackage({ version: '2.8.0' })
  const [pilots, all] = [await shop.addChannel(), await shop.addChannel({ name: 'All shops' })]
  const both = [await shop.deploy(packageUid, pilots), await shop.deploy(packageUid, all)]
  const deletePackage = () => server.call(packages.deletePackage, { token, body: { uid: packageUid } })
  const deleteChannel = () => server.call(channels.deleteChannel, { token, body: { uid: pilots } })
  expect(await deletePackage()).toMatchObject({ code: 409, names: ['All shops', 'Pilot shops'] })
  expect(await deleteChannel()).toMatchObject({ code: 409, names: ['Player 2.8.0'] })
  for (const uid of both) await server.call(deploys.deleteDeployPackage, { token, body: { uid } })
  expect([(await deletePackage()).code, (await deleteChannel()).code]).toEqual([200, 200])
})

it('packages are put on a channel once; what is on is not moved to another', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const [one, other] = [await shop.released({ version: '4.1' }), await shop.addPackage({ version: '4.2' })]
  const channel = await shop.addChannel()
  const uid = await shop.deploy(one, channel)
  const again = { packageUid: one, channelUid: channel }
  expect(await server.call(deploys.addDeployPackage, { token, body: again })).toEqual({
    code: 400,
    reason: 'already-deployed',
  })
  const edit = async (body: object) =>
    (await server.ask(deploys.editDeployPackage, { token, body: { uid, ...body } })).json<{
      data: unknown
    }>().data
  expect(await edit({ packageUid: other })).toEqual({ code: 200 })
  expect(await edit({ packageUid: one })).toEqual({ code: 200 })
  const second = await shop.deploy(other, channel)
  const clash = { uid: second, packageUid: one }
  expect((await server.call(deploys.editDeployPackage, { token, body: clash })).reason).toBe(
    'already-deployed',
  )
  await shop.rotateDeployPackage(uid)
  expect(await edit({ channelUid: await shop.addChannel() })).toEqual({
    code: 400,
    reason: 'active-cannot-be-edited',
  })
  expect(await edit({ description: 'For the week before the sale' })).toEqual({ code: 200 })
  const list = await server.call(deploys.listDeployPackages, {
    token,
    query: { search: 'sale 4.1', sort: 'package', state: 'active', channel, package: one },
  })
  expect(list.items).toMatchObject([
    { uid, state: 'active', isOffered: true, deviceCount: 1, heldCount: 0, package: { version: '4.1' } },
  ])
  const stale = { uid, description: 'Something else', version: 1 }
  expect((await server.ask(deploys.editDeployPackage, { token, body: stale })).statusCode).toBe(409)
})

it('channels name groups of their client, and show what they reach', async () => {
  const [shop, theirs] = [await newUpdateShop(server), await newUpdateShop(server)]
  const { token, groupUid } = shop
  const uid = await shop.addChannel({ description: 'First to try' })
  const edit = (body: object) => server.ask(channels.editChannel, { token, body: { uid, ...body } })
  expect(errorsOf(await edit({ groupUids: [groupUid, theirs.groupUid] }))).toMatchObject([
    { path: 'groupUids.1', message: 'unknown' },
  ])
  expect((await edit({ name: 'Early birds', version: 1 })).statusCode).toBe(200)
  expect((await edit({ name: 'Late birds', version: 1 })).statusCode).toBe(409)
  await shop.addChannel({ name: 'Elsewhere', groupUids: [] })
  const query = { search: 'birds try', sort: 'name', state: 'open' }
  const { items, total } = await server.call(channels.listChannels, { token, query })
  expect([total, items]).toMatchObject([
    1,
    [{ uid, name: 'Early birds', deviceCount: 1, groups: [{ uid: groupUid }], packages: [] }],
  ])
})

it('another client sees none of it and changes nothing: 404, and 422 where a body names it', async () => {
  const [mine, theirs] = [await newUpdateShop(server), await newUpdateShop(server)]
  const { token } = theirs
  const packageUid = await mine.released()
  const channelUid = await mine.addChannel()
  const deployed = await mine.deploy(packageUid, channelUid)
  const [file] = (await mine.card(packageUid)).files
  const fileUid = file?.uid ?? ''
  const link = { uid: packageUid, fileuid: fileUid, linkid: file?.linkUid }
  const asked = [
    server.ask(packages.readPackage, { token, params: { id: packageUid } }),
    server.ask(packages.listPackageFiles, { token, params: { id: packageUid } }),
    server.ask(packages.rotatePackage, { token, params: { id: packageUid } }),
    server.ask(packages.editPackage, { token, body: { uid: packageUid, name: 'Mine now' } }),
    server.ask(packages.deletePackage, { token, body: { uid: packageUid } }),
    server.ask(packages.excludeFile, { token, params: link }),
    server.ask(files.editUpdateFile, { token, body: { uid: fileUid, name: 'Mine now' } }),
    server.ask(files.deleteUpdateFile, { token, body: { uid: fileUid } }),
    server.ask(files.addUpdateFile, { token, body: { packageUid, fileUid } }),
    server.ask(channels.rotateChannel, { token, params: { id: channelUid } }),
    server.ask(channels.editChannel, { token, body: { uid: channelUid, name: 'Mine now' } }),
    server.ask(channels.deleteChannel, { token, body: { uid: channelUid } }),
    server.ask(deploys.rotateDeployPackage, { token, params: { id: deployed } }),
    server.ask(deploys.editDeployPackage, { token, body: { uid: deployed, description: 'Mine now' } }),
    server.ask(deploys.deleteDeployPackage, { token, body: { uid: deployed } }),
    theirs.request(packageUid, { bytes: Buffer.from('theirs') }),
  ]
  for (const answer of asked) expect((await answer).statusCode).toBe(404)
  const own = { packageUid: await theirs.addPackage(), channelUid: await theirs.addChannel() }
  for (const [path, foreign] of [
    ['packageUid', { ...own, packageUid }],
    ['channelUid', { ...own, channelUid }],
  ] as const)
    expect(errorsOf(await server.ask(deploys.addDeployPackage, { token, body: foreign }))).toMatchObject([
      { path, message: 'unknown' },
    ])
  const borrowed = { packageUid: own.packageUid, fileUid }
  expect(errorsOf(await server.ask(files.addUpdateFile, { token, body: borrowed }))).toMatchObject([
    { path: 'fileUid', message: 'unknown' },
  ])
  for (const list of [files.listUpdateFiles, deploys.listDeployPackages])
    expect((await server.call(list, { token })).total).toBe(0)
})

it('writes down each change with what was before and after', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const packageUid = await shop.released({ version: '5.0' })
  const channelUid = await shop.addChannel()
  const deployed = await shop.deploy(packageUid, channelUid)
  await shop.rotateDeployPackage(deployed)
  await server.call(deploys.deleteDeployPackage, { token, body: { uid: deployed } })
  const entries = async (id: string) =>
    (await server.call(readAudit, { token, params: { id } })).items
      .toReversed()
      .map(entry => [entry.class, entry.changes])
  expect(await entries(packageUid)).toEqual([
    ['add', expect.objectContaining({ version: [null, '5.0'], state: [null, 'draft'] })],
    ['add-file', { file: [null, 'player.tar'] }],
    ['rotate', { state: ['draft', 'testing'] }],
    ['rotate', { state: ['testing', 'released'] }],
  ])
  expect(await entries(channelUid)).toEqual([
    ['add', expect.objectContaining({ groupUids: [[], [shop.groupUid]] })],
  ])
  expect(await entries(deployed)).toEqual([
    ['add', expect.objectContaining({ packageUid: [null, packageUid], state: [null, 'paused'] })],
    ['rotate', { state: ['paused', 'active'] }],
    ['delete', expect.objectContaining({ state: ['active', null], channelUid: [channelUid, null] })],
  ])
})
