import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { resetLicense } from '@floorcast/contract/devices.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeClient, makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer, openChannel, openFormerChannel } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { CLOSE } from './channel.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDevices, registerGroups, registerPlaylists, registerPublications, registerDeviceHost],
})
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

async function openShop() {
  const { scope } = await makeClient(server.database)
  const groupUid = await makeGroup(scope)
  const { uid, licenseKey } = await makeDevice(scope, { groupUid })
  return { scope, groupUid, uid, licenseKey, player: await openPlayer(server, licenseKey) }
}

/** A change that the device must know of. */
const rename = (scope: ClientScope, uid: string, name: string) =>
  scope.write(async writes => {
    await writes.updateTable('devices').set({ name }).where('uid', '=', uid).execute()
    await invalidateManifests(writes, { devices: [uid] })
  })

async function sendVolume(scope: ClientScope, deviceUid: string, value: number): Promise<string> {
  const uid = uuidV7()
  await scope.write(async writes => {
    const body = JSON.stringify({ command: 'volume', value })
    await writes
      .insertInto('deviceOutbox')
      .values({
        uid,
        clientId: scope.clientId,
        deviceUid,
        type: 'command',
        body,
        createdAt: server.clock.now,
        expiresAt: new Date(server.clock.now.getTime() + 3_600_000),
      })
      .execute()
    await notify(writes, 'command', [deviceUid])
  })
  return uid
}

const waitingOf = async (scope: ClientScope, uid: string) =>
  scope.reads
    .selectFrom('deviceOutbox')
    .where('deviceUid', '=', uid)
    .where('acknowledgedAt', 'is', null)
    .select('uid')
    .orderBy('position')
    .execute()

test('a change is told to the connected device, which then reads it', async () => {
  const { scope, uid, player } = await openShop()
  const channel = await openChannel(origin, uid, player.token)
  await rename(scope, uid, 'Front radio')
  expect(await channel.hear(1)).toEqual([{ type: 'manifest', withinSeconds: 0 }])
  const { manifest } = await readPlayerManifest(server, player)
  expect(manifest.device.name).toBe('Front radio')
})

test('a device of protocol 1 gets a notice that it acknowledges, and reads the manifest with its programmes', async () => {
  const { scope, uid, player } = await openShop()
  const channel = await openFormerChannel(origin, uid, player.token)
  await rename(scope, uid, 'Front radio')
  const [message] = await channel.hear(1)
  expect(message).toMatchObject({ type: 'manifest', etag: '', id: expect.any(String) as string })
  channel.say({ type: 'ack', id: message && 'id' in message ? (message.id ?? '') : '' })
  const answer = await server.ask(readManifest, player)
  expect(answer.json()).toMatchObject({ data: { protocol: 1, device: { name: 'Front radio' }, files: [] } })
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
  const [, beat] = await channel.hear(2)
  expect(beat).toMatchObject({ answer: { manifestEtag: answer.headers['etag'] } })
})

test('ten changes of a group in a row are at most a few notices, and the devices of a large group are told to spread', async () => {
  const { scope, groupUid, uid, player } = await openShop()
  for (let count = 0; count < 100; count += 1) await makeDevice(scope, { groupUid })
  const channel = await openChannel(origin, uid, player.token)
  for (let count = 0; count < 10; count += 1)
    await scope.write(writes => invalidateManifests(writes, { groups: [groupUid] }))
  await eventually(() => expect(channel.heard.length).toBeGreaterThan(0))
  await setTimeout(1500)
  expect(channel.heard.length).toBeLessThan(4)
  expect(new Set(channel.heard.map(message => JSON.stringify(message)))).toEqual(
    new Set([JSON.stringify({ type: 'manifest', withinSeconds: 0.2 })]),
  )
})

test('many small groups that change together are told to spread like one large group', async () => {
  const { scope, groupUid, uid, player } = await openShop()
  const groups = [groupUid]
  for (let count = 0; count < 50; count += 1) {
    const group = await makeGroup(scope)
    await makeDevice(scope, { groupUid: group })
    groups.push(group)
  }
  const channel = await openChannel(origin, uid, player.token)
  await scope.write(writes => invalidateManifests(writes, { groups }))
  expect(await channel.hear(1)).toEqual([{ type: 'manifest', withinSeconds: 0.1 }])
})

test('messages come in order, and what was not acknowledged comes again on reconnect, in order', async () => {
  const { scope, uid, player } = await openShop()
  const channel = await openChannel(origin, uid, player.token)
  const sent: string[] = []
  for (const volume of [10, 20, 30]) sent.push(await sendVolume(scope, uid, volume))
  const heard = await channel.hear(3)
  expect(heard.map(message => 'value' in message && message.value)).toEqual([10, 20, 30])
  channel.say({ type: 'ack', id: sent[1] ?? '' })
  await eventually(async () => expect(await waitingOf(scope, uid)).toHaveLength(2))
  await channel.close()
  sent.push(await sendVolume(scope, uid, 40))
  const again = await openChannel(origin, uid, player.token)
  const replayed = await again.hear(3)
  expect(replayed.map(message => 'id' in message && message.id)).toEqual([sent[0], sent[2], sent[3]])
})

test('one connection carries a command once', async () => {
  const { scope, uid, player } = await openShop()
  const first = await sendVolume(scope, uid, 50)
  const channel = await openChannel(origin, uid, player.token)
  await channel.hear(1)
  const second = await sendVolume(scope, uid, 60)
  const heard = await channel.hear(2)
  expect(heard.map(message => 'id' in message && message.id)).toEqual([first, second])
})

test('another session of the device begins: the former is told and goes, the new one stays', async () => {
  const { scope, uid, licenseKey, player } = await openShop()
  const former = await openChannel(origin, uid, player.token)
  const newer = await openPlayer(server, licenseKey, player.boxId)
  expect(await former.hear(1)).toEqual([{ type: 'replaced' }])
  expect(await former.closed).toBe(CLOSE.replaced)
  const channel = await openChannel(origin, uid, newer.token)
  await rename(scope, uid, 'Still here')
  expect(await channel.hear(1)).toMatchObject([{ type: 'manifest' }])
  await expect(openChannel(origin, uid, player.token)).rejects.toThrow('HTTP 401')
})

test('a device whose key was reset is told to go', async () => {
  const { scope, token } = await server.newClient()
  const { uid, licenseKey } = await makeDevice(scope)
  const channel = await openChannel(origin, uid, (await openPlayer(server, licenseKey)).token)
  await server.call(resetLicense, { token, params: { uid } })
  expect(await channel.hear(1)).toEqual([{ type: 'replaced' }])
  expect(await channel.closed).toBe(CLOSE.replaced)
})

test('the same session connects again: the former connection closes without the replaced message', async () => {
  const { uid, player } = await openShop()
  const former = await openChannel(origin, uid, player.token)
  await openChannel(origin, uid, player.token)
  expect(await former.closed).toBe(CLOSE.reconnected)
  expect(former.heard).toEqual([])
})

test('heartbeats go over the channel too; what is no message is passed over', async () => {
  const { scope, uid, player } = await openShop()
  const channel = await openChannel(origin, uid, player.token)
  for (const text of ['', 'no json', '[]', '{"type":"wonder"}', '{"type":"ack","id":"x"}'])
    channel.sayText(text)
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat({ volume: 33 }) })
  expect(await channel.hear(1)).toMatchObject([{ type: 'heartbeat-answer', answer: { alerts: [] } }])
  const state = await scope.reads.selectFrom('deviceStates').select('volume').executeTakeFirst()
  expect(state?.volume).toBe(33)
})

test('nobody else gets in', async () => {
  const [one, other] = [await openShop(), await openShop()]
  await expect(openChannel(origin, one.uid, null)).rejects.toThrow('HTTP 401')
  await expect(openChannel(origin, one.uid, 'nonsense')).rejects.toThrow('HTTP 401')
  await expect(openChannel(origin, one.uid, other.player.token)).rejects.toThrow('HTTP 404')
  await expect(openChannel(origin, 'not-a-uid', one.player.token)).rejects.toThrow('HTTP 404')
})

test('another’s acknowledgement counts for nothing', async () => {
  const [one, other] = [await openShop(), await openShop()]
  const messageUid = await sendVolume(one.scope, one.uid, 10)
  const foreign = await openChannel(origin, other.uid, other.player.token)
  foreign.say({ type: 'ack', id: messageUid })
  const ownUid = await sendVolume(other.scope, other.uid, 20)
  await foreign.hear(1)
  foreign.say({ type: 'ack', id: ownUid })
  await eventually(async () => expect(await waitingOf(other.scope, other.uid)).toEqual([]))
  expect(await waitingOf(one.scope, one.uid)).toEqual([{ uid: messageUid }])
})

/** A second server on the same database, in a separate process. */
async function startSecondServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-second-'))
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
  const second = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: server.url,
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise(resolve => second.once('exit', resolve))
  onTestFinished(async () => {
    second.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for await (const line of createInterface({ input: second.stdout })) {
    const address = /http:\/\/localhost:\d+/.exec(line)?.[0]
    if (address) return address.replace('localhost', '127.0.0.1')
  }
  throw new Error('the second server ended before it said its address')
}

test('turned on at one server, a publication reaches the device connected to another; so does a newer session', async () => {
  const second = await startSecondServer()
  const shop = await newShop(server)
  const { group, uid: publication } = await readyPublication(shop)
  const { uid, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const player = await openPlayer(server, licenseKey)
  const channel = await openChannel(second, uid, player.token)
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  const [message] = await channel.hear(1)
  expect(message).toEqual({ type: 'manifest', withinSeconds: 0 })
  const manifest = await fetch(`${second}/api/v2/iplay/manifest/${uid}`, {
    headers: { authorization: `Bearer ${player.token}` },
  })
  expect(await manifest.json()).toMatchObject({
    data: { publications: [{ uid: publication, startsAt: null }] },
  })
  await sendVolume(shop.scope, uid, 5)
  await channel.hear(2)
  await openPlayer(server, licenseKey, player.boxId)
  expect((await channel.hear(3)).map(({ type }) => type)).toEqual(['manifest', 'command', 'replaced'])
})

test('after a lost connection of the bus, channels are in the new groups of their devices, and ended ones close', async () => {
  const [moved, reset] = [await openShop(), await openShop()]
  const group = await makeGroup(moved.scope)
  const channel = await openChannel(origin, moved.uid, moved.player.token)
  const ended = await openChannel(origin, reset.uid, reset.player.token)
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('update devices set group_uid = $1 where uid = $2', [group, moved.uid])
    await superuser.query('update devices set token_hash = null where uid = $1', [reset.uid])
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'floorcast_bus' and datname = current_database()`,
    )
  })
  expect(await ended.closed).toBe(CLOSE.replaced)
  await eventually(async () => {
    const heard = channel.heard.length
    await moved.scope.write(writes => invalidateManifests(writes, { groups: [group] }))
    await setTimeout(1100)
    expect(channel.heard.length).toBeGreaterThan(heard)
  })
})

test('a lost word about sessions that cannot be made up for ends neither the server nor its channels', async () => {
  const { scope, uid, player } = await openShop()
  const channel = await openChannel(origin, uid, player.token)
  const warned = vi.spyOn(server.context.log, 'warn')
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('revoke select on device_states from floorcast_app')
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'floorcast_bus' and datname = current_database()`,
    )
  })
  await eventually(() =>
    expect(warned).toHaveBeenCalledWith(expect.anything(), expect.stringMatching(/sessions/)),
  )
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query('grant select on device_states to floorcast_app'),
  )
  await rename(scope, uid, 'Still heard')
  expect(await channel.hear(1)).toMatchObject([{ type: 'manifest' }])
})
