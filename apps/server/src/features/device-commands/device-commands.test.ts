import {
  listDeviceCommands,
  MAX_WAITING_COMMANDS,
  readScreenshot,
  readSentLog,
  sendCommand,
  sendDeviceFile,
} from '@floorcast/contract/device-commands.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, test } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceCommands } from './device-commands-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDevices, registerDeviceCommands, registerDeviceHost] })
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

/** One white pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const passTime = (ms: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + ms)
}

type Command = BodyOf<typeof sendCommand>

async function newDevice(kind: 'audio' | 'video' = 'audio') {
  const client = await server.newClient()
  const { uid, licenseKey } = await makeDevice(client.scope, { kind })
  const call = { token: client.token, params: { uid } }
  return {
    ...client,
    uid,
    player: await openPlayer(server, licenseKey),
    send: (body: Command) => server.call(sendCommand, { ...call, body }),
    list: () => server.call(listDeviceCommands, call),
    call,
  }
}

test('a command goes to the connected device, and the card shows who asked, and that it was followed', async () => {
  const { uid, player, send, list } = await newDevice()
  const channel = await openChannel(origin, uid, player.token)
  const { uid: commandUid } = await send({ command: 'restart' })
  expect(await channel.hear(1)).toEqual([{ type: 'command', id: commandUid, command: 'restart' }])
  await eventually(async () =>
    expect((await list()).commands).toMatchObject([
      { uid: commandUid, command: 'restart', state: 'sent', askedBy: expect.stringContaining('@') as string },
    ]),
  )
  channel.say({ type: 'ack', id: commandUid ?? '', ok: true })
  await eventually(async () =>
    expect((await list()).commands).toMatchObject([{ state: 'followed', why: null }]),
  )
})

test('a device says why it does not follow a command, and one of a former release only that it came', async () => {
  const { uid, player, send, list } = await newDevice()
  const channel = await openChannel(origin, uid, player.token)
  const first = await send({ command: 'identify' })
  const second = await send({ command: 'identify' })
  await channel.hear(2)
  channel.say({ type: 'ack', id: first.uid ?? '', ok: false, why: 'alert' })
  channel.say({ type: 'ack', id: second.uid ?? '' })
  await eventually(async () =>
    expect((await list()).commands).toMatchObject([
      { state: 'received', why: null },
      { state: 'failed', why: 'alert' },
    ]),
  )
})

test('commands wait in their order for the device, and one that waited too long is never sent', async () => {
  const { uid, player, send, list } = await newDevice()
  const late = await send({ command: 'restart' })
  passTime(599_000)
  const identify = await send({ command: 'identify' })
  const volume = await send({ command: 'volume', value: 40 })
  passTime(2000)
  const channel = await openChannel(origin, uid, player.token)
  const heard = await channel.hear(2)
  expect(heard.map(message => 'id' in message && message.id)).toEqual([identify.uid, volume.uid])
  expect((await list()).commands.at(-1)).toMatchObject({ uid: late.uid, state: 'expired', sentAt: null })
})

test('at most ten commands wait for a device', async () => {
  const { send } = await newDevice()
  const answers = await Promise.all(
    Array.from({ length: MAX_WAITING_COMMANDS + 3 }, () => send({ command: 'identify' })),
  )
  const refused = answers.filter(({ code }) => code !== 200)
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ code: 400, reason: 'too-many-commands' })
})

test('a volume lasts: it is the tag of the device, in its manifest, until it is taken back', async () => {
  const { uid, player, send, list, call } = await newDevice()
  const channel = await openChannel(origin, uid, player.token)
  expect(await send({ command: 'volume', value: 35 })).toMatchObject({ code: 200 })
  const commandsOf = () => channel.heard.filter(({ type }) => type === 'command')
  await eventually(() => expect(commandsOf()).toMatchObject([{ command: 'volume', value: 35 }]))
  expect((await readPlayerManifest(server, player)).manifest.device.volume).toBe(35)
  const card = { token: call.token, params: { id: uid } }
  expect(await server.call(readDevice, card)).toMatchObject({ volume: 35 })
  expect(await list()).toMatchObject({ hasOwnVolume: true })
  await send({ command: 'volume', value: null })
  await eventually(() => expect(commandsOf()[1]).toMatchObject({ command: 'volume', value: 70 }))
  expect((await readPlayerManifest(server, player)).manifest.device.volume).toBe(70)
  expect(await list()).toMatchObject({ hasOwnVolume: false })
  expect(await send({ command: 'volume', value: null })).toMatchObject({ reason: 'volume-already-default' })
})

test('a volume that a tag of the client decides is refused, and nothing changes', async () => {
  const { scope, uid, send, list } = await newDevice()
  await scope.write(async writes => {
    const at = server.clock.now
    await writes
      .insertInto('tags')
      .values({ uid, clientId: scope.clientId, key: 'volume', value: '20', createdAt: at, changedAt: at })
      .execute()
    await writes.updateTable('clients').set({ tagPolicy: 'client' }).execute()
  })
  expect(await send({ command: 'volume', value: 50 })).toMatchObject({
    code: 400,
    reason: 'volume-by-policy',
  })
  expect(await list()).toMatchObject({ commands: [], hasOwnVolume: false })
})

test('a screenshot of a video device is on its card; an audio device shows no picture', async () => {
  const audio = await newDevice('audio')
  expect(await audio.send({ command: 'screenshot' })).toMatchObject({ code: 400, reason: 'no-picture' })
  const { player, send, list, call } = await newDevice('video')
  expect((await server.ask(readScreenshot, call)).statusCode).toBe(404)
  const { uid: id = '' } = await send({ command: 'screenshot' })
  const to = { token: player.token, params: { playpointid: player.deviceUid, id } }
  const deliver = (body: { contentType: 'image/png' | 'image/jpeg' | 'text/plain'; content: string }) =>
    server.ask(sendDeviceFile, { ...to, body })
  const log = await deliver({ contentType: 'text/plain', content: 'eA==' })
  expect(log.statusCode).toBe(404)
  const noImage = await deliver({ contentType: 'image/jpeg', content: PNG })
  expect(noImage.statusCode).toBe(422)
  const whole = Buffer.from(PNG, 'base64')
  const cut = await deliver({ contentType: 'image/png', content: whole.subarray(0, 50).toString('base64') })
  expect(cut.statusCode).toBe(422)
  const large = await deliver({ contentType: 'image/png', content: 'A'.repeat(1_600_000) })
  expect(large.statusCode).toBe(413)
  expect((await deliver({ contentType: 'image/png', content: PNG })).statusCode).toBe(200)
  const picture = await server.ask(readScreenshot, call)
  expect(picture.headers['content-type']).toBe('image/jpeg')
  const { length: sizeBytes } = picture.rawPayload
  expect(await list()).toMatchObject({ screenshot: { sizeBytes, contentType: 'image/jpeg' } })
  // The player of another device has no part in it.
  const foreign = await server.ask(sendDeviceFile, {
    token: audio.player.token,
    params: { playpointid: audio.player.deviceUid, id },
    body: { contentType: 'image/png', content: PNG },
  })
  expect(foreign.statusCode).toBe(404)
})

test('the log is for admins alone, and is a download', async () => {
  const { scope, uid, player, send, call } = await newDevice()
  const manager = await signedInUser(scope)
  const refused = await server.ask(sendCommand, {
    ...call,
    token: manager.token,
    body: { command: 'send-log' },
  })
  expect(refused.statusCode).toBe(403)
  const { uid: id = '' } = await send({ command: 'send-log' })
  const content = Buffer.from('2026 started\n').toString('base64')
  const to = { token: player.token, params: { playpointid: uid, id } }
  await server.call(sendDeviceFile, { ...to, body: { contentType: 'text/plain', content } })
  const log = await server.ask(readSentLog, call)
  expect(log.headers['content-disposition']).toMatch(/^attachment; filename="device-log-\d{8}T\d{6}Z.txt"$/)
  expect(log.body).toBe('2026 started\n')
  expect((await server.ask(readSentLog, { ...call, token: manager.token })).statusCode).toBe(403)
})
