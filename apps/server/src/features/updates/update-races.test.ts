import * as deploys from '@floorcast/contract/deploy-packages.ts'
import * as channels from '@floorcast/contract/update-channels.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop } from '@floorcast/testing/test-updates.ts'
import { beforeAll, expect, it, vi } from 'vitest'
import { touchChannels } from './updates.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUpdates } from './updates-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    hasOwnDatabase: true,
    features: [registerGroups, registerUpdates, registerDeviceHost],
  })
})

const ROUNDS = 12
type Answer = Awaited<ReturnType<TestServer['ask']>>
/** The code in the body, or the HTTP status of a problem. */
const codeOf = (answer: Answer) => answer.json<{ data?: { code: number } }>().data?.code ?? answer.statusCode
const atOnce = async (...asked: Promise<Answer>[]) => (await Promise.all(asked)).map(codeOf)
const sorted = (codes: number[]) => codes.toSorted((a, b) => a - b)

it('a rotation clicked twice at once of a package, a channel, a deploy package turns each once; the second click is 409', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const [id, channel] = [await shop.released(), await shop.addChannel()]
  const deployed = await shop.deploy(id, channel)
  for (let round = 0; round < ROUNDS; round += 1) {
    const state = (await shop.card(id)).state
    const click = () => server.ask(packages.rotatePackage, { token, params: { id }, query: { from: state } })
    const codes = await atOnce(click(), click(), click())
    expect(codes.filter(code => code === 409)).toHaveLength(2)
    const click2 = () =>
      server.ask(channels.rotateChannel, {
        token,
        params: { id: channel },
        query: { from: round % 2 === 0 ? 'open' : 'frozen' },
      })
    expect(sorted(await atOnce(click2(), click2()))).toEqual([round % 2 === 0 ? 9 : 0, 409])
  }
  expect((await shop.card(id)).state).toBe('released')
  for (const [from, code] of [
    ['paused', 0],
    ['active', 0],
    ['forced', 9],
  ] as const) {
    const click = () =>
      server.ask(deploys.rotateDeployPackage, { token, params: { id: deployed }, query: { from } })
    expect(sorted(await atOnce(click(), click()))).toEqual([code, 409])
  }
})

it('a rotation clicked twice at once without a state turns on by as many steps as clicks', async () => {
  const shop = await newUpdateShop(server)
  const id = await shop.released()
  await Promise.all([shop.rotatePackage(id), shop.rotatePackage(id), shop.rotatePackage(id)])
  expect((await shop.card(id)).state).toBe('released')
})

it('a file excluded while its package goes out is out and the package a draft, or in it and the package testing', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await shop.addPackage()
    const file = await shop.upload(id, { bytes: Buffer.from(`round ${round}`) })
    const link = { uid: id, fileuid: file.uid, linkid: file.linkUid }
    const exclude = () => server.ask(packages.excludeFile, { token, params: link })
    const rotate = () => server.ask(packages.rotatePackage, { token, params: { id } })
    const codes =
      round % 2 === 0 ? await atOnce(exclude(), rotate()) : (await atOnce(rotate(), exclude())).toReversed()
    const { state, fileCount } = await shop.card(id)
    // Excluded and refused to rotate, or rotated and refused to exclude.
    expect([
      [200, -2, 'draft', 0],
      [400, 9, 'testing', 1],
    ]).toContainEqual([...codes, state, fileCount])
  }
})

it('a file excluded while its package goes out never reaches a device as a package without its file', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const player = await shop.player()
  const channel = await shop.addChannel()
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await shop.released()
    const [file] = (await shop.card(id)).files
    const deployed = await shop.deploy(id, channel)
    const link = { uid: id, fileuid: file?.uid, linkid: file?.linkUid }
    const withdraw = async () => {
      await server.ask(packages.rotatePackage, { token, params: { id }, query: { from: 'released' } })
      return server.ask(packages.excludeFile, { token, params: link })
    }
    const turnOn = () =>
      server.ask(deploys.rotateDeployPackage, {
        token,
        params: { id: deployed },
        query: { from: 'paused' },
      })
    const [, , update] = await Promise.all([withdraw(), turnOn(), player.update()])
    if (update) expect(update.files).toHaveLength(1)
    expect(await player.update()).toBeUndefined()
    await server.call(deploys.deleteDeployPackage, { token, body: { uid: deployed } })
  }
})

it('what is deleted while it is attached a file: it is in the package, or it is gone', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = [await shop.addPackage(), await shop.addPackage()]
    const { uid: fileUid, linkUid } = await shop.upload(first, { bytes: Buffer.from(`file ${round}`) })
    const link = { uid: first, fileuid: fileUid, linkid: linkUid }
    await server.call(packages.excludeFile, { token, params: link })
    const attach = () => server.ask(files.addUpdateFile, { token, body: { packageUid: second, fileUid } })
    const remove = () => server.ask(files.deleteUpdateFile, { token, body: { uid: fileUid } })
    const codes = await atOnce(attach(), remove())
    const { fileCount } = await shop.card(second)
    expect([
      [200, 409, 1],
      [422, 200, 0],
    ]).toContainEqual([...codes, fileCount])
  }
})

it('what is deleted while it is attached a package or a channel: it is deployed, or it is gone', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  for (let round = 0; round < ROUNDS; round += 1) {
    const [packageUid, channelUid] = [await shop.addPackage(), await shop.addChannel()]
    const attach = () => server.ask(deploys.addDeployPackage, { token, body: { packageUid, channelUid } })
    const remove = () =>
      round % 2 === 0
        ? server.ask(packages.deletePackage, { token, body: { uid: packageUid } })
        : server.ask(channels.deleteChannel, { token, body: { uid: channelUid } })
    const codes = await atOnce(attach(), remove())
    expect([
      [200, 409],
      [422, 200],
    ]).toContainEqual(codes)
  }
})

it('what is deleted while it is attached a package into which a file comes: the file is in it, or nothing of it is left', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  for (let round = 0; round < ROUNDS; round += 1) {
    const uid = await shop.addPackage()
    const upload = shop.request(uid, { bytes: Buffer.from(`upload ${round}`), name: `round-${round}.tar` })
    const [uploaded, removed] = await atOnce(
      upload,
      server.ask(packages.deletePackage, { token, body: { uid } }),
    )
    expect(removed).toBe(200)
    const query = { search: `round-${round}.tar` }
    const { total } = await server.call(files.listUpdateFiles, { token, query })
    expect([
      [200, 1],
      [404, 0],
    ]).toContainEqual([uploaded, total])
  }
})

it('two files of one name at once: one is in, the other is 902', async () => {
  const shop = await newUpdateShop(server)
  for (let round = 0; round < ROUNDS; round += 1) {
    const uid = await shop.addPackage()
    const send = (n: number) => shop.request(uid, { bytes: Buffer.from(`${round} ${n}`) })
    expect(sorted(await atOnce(send(1), send(2), send(3)))).toEqual([200, 902, 902])
    expect((await shop.card(uid)).fileCount).toBe(1)
  }
})

it('one package put on one channel by two at once: once', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = { packageUid: await shop.addPackage(), channelUid: await shop.addChannel() }
    const deploy = () => server.ask(deploys.addDeployPackage, { token, body })
    expect(sorted(await atOnce(deploy(), deploy()))).toEqual([200, 400])
  }
})

it('a group that joins a channel while a package on it is released hears of the update', async () => {
  const shop = await newUpdateShop(server)
  const { token, groupUid, scope } = shop
  const player = await shop.player()
  const id = await shop.released()
  const channel = await shop.addChannel({ groupUids: [] })
  await shop.rotateDeployPackage(await shop.deploy(id, channel))
  await shop.rotatePackage(id)
  const { promise: isTouched, resolve: touched } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const release = scope.write(async writes => {
    await writes.updateTable('updatePackages').set({ state: 'released' }).where('uid', '=', id).execute()
    await touchChannels(writes, [channel])
    touched()
    await mayCommit
  })
  await isTouched
  let hasJoined = false
  const body = { uid: channel, groupUids: [groupUid] }
  const join = server.ask(channels.editChannel, { token, body }).then(answer => {
    hasJoined = true
    return answer.statusCode
  })
  await vi.waitFor(async () => expect(hasJoined || (await isSomeoneWaiting())).toBe(true), {
    timeout: 30_000,
  })
  expect(await player.update()).toBeUndefined()
  commit()
  await release
  expect(await join).toBe(200)
  expect((await player.update())?.packageUid).toBe(id)
})

async function isSomeoneWaiting(): Promise<boolean> {
  const { rows } = await asSuperuser(server.superuserUrl, superuser =>
    superuser.query<{ waiting: boolean }>(
      `select exists (select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock') as waiting`,
    ),
  )
  return rows[0]?.waiting === true
}
