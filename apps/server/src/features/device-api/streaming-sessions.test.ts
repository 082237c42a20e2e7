import { makeTicket } from '@floorcast/contract/auth.ts'
import { openStreamingSession, readManifest, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDevices, registerDeviceHost] })
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const newRun = () => ({ runId: crypto.randomUUID() })

/** A client with a device and a streamer who plays it. */
async function newShop() {
  const { scope, token: admin } = await server.newClient()
  const device = await makeDevice(scope)
  const streamer = await signedInUser(scope, { role: 'streamer', linkedDeviceUid: device.uid })
  const open = (body: { runId: string; formerSession?: string }) =>
    server.ask(openStreamingSession, { token: streamer.token, body })
  const opened = async (body = newRun()) => server.call(openStreamingSession, { token: streamer.token, body })
  const beat = async (token: string) =>
    (await server.ask(sendHeartbeat, { token, body: makeHeartbeat() })).statusCode
  return { scope, admin, device, streamer, open, opened, beat }
}

/** @returns whether the server has opened the channel of this session */
async function opensChannel(userToken: string, deviceUid: string, session: string): Promise<boolean> {
  const path = `/api/v2/iplay/channel/${deviceUid}`
  const { ticket } = await server.call(makeTicket, { token: userToken, body: { path } })
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}${path}?protocol=2&ticket=${ticket}&session=${session}`,
  )
  const isOpen = await new Promise<boolean>(resolve => {
    socket.once('open', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.terminate()
  return isOpen
}

it('a ticket is made only for what its user may open', async () => {
  const { scope, admin, device, streamer } = await newShop()
  const media = await makeMedia(scope)
  const foreign = await newShop()
  const foreignMedia = await makeMedia(foreign.scope)
  const status = async (token: string, path: string) =>
    (await server.ask(makeTicket, { token, body: { path: `/api/v2/${path}` } })).statusCode
  expect(await status(streamer.token, `iplay/channel/${device.uid}`)).toBe(200)
  expect(await status(streamer.token, `iplay/channel/${foreign.device.uid}`)).toBe(404)
  expect(await status(admin, `iplay/channel/${device.uid}`)).toBe(404)
  expect(await status(admin, `media/${media.uid}/file`)).toBe(200)
  expect(await status(admin, `media/${foreignMedia.uid}/file`)).toBe(404)
  expect(await status(streamer.token, `media/${media.uid}/preview`)).toBe(403)
})

it('a streamer’s page makes the calls of its linked device', async () => {
  const { device, streamer, opened, beat } = await newShop()
  const { token, playpointid, session } = await opened()
  expect([playpointid, await beat(token)]).toEqual([device.uid, 200])
  const manifest = await server.ask(readManifest, { token, params: { playpointid } })
  expect(manifest.statusCode).toBe(200)
  expect(await opensChannel(streamer.token, device.uid, session)).toBe(true)
  expect(await beat(streamer.token)).toBe(401)
})

it('the newest player reports; a page that was replaced is refused until it is loaded again', async () => {
  const { device, streamer, open, opened, beat } = await newShop()
  const run = newRun()
  const first = await opened(run)
  const second = await opened()
  expect([await beat(first.token), await beat(second.token)]).toEqual([401, 200])
  expect(await opensChannel(streamer.token, device.uid, first.session)).toBe(false)
  const again = await open({ ...run, formerSession: first.session })
  expect([again.statusCode, again.json<{ code: string }>().code]).toEqual([409, 'session-replaced'])
  const loaded = await opened()
  expect([await beat(second.token), await beat(loaded.token)]).toEqual([401, 200])
})

it('a page learns which player has reported before it: one that it knows, or another', async () => {
  const { device, opened } = await newShop()
  const [run, other] = [newRun(), newRun()]
  expect((await opened(run)).formerRun).toBeNull()
  expect((await opened(run)).formerRun).toBe(run.runId)
  expect((await opened(other)).formerRun).toBe(run.runId)
  // It does not say which start of its program it is.
  await openPlayer(server, device.licenseKey)
  const { formerRun } = await opened(run)
  expect(formerRun).not.toBeNull()
  expect([run.runId, other.runId]).not.toContain(formerRun)
})

it('a page and a player with the licence key replace each other', async () => {
  const { device, opened, beat } = await newShop()
  const page = await opened()
  const player = await openPlayer(server, device.licenseKey)
  expect(await beat(page.token)).toBe(401)
  expect(await beat(player.token)).toBe(200)
})

it('ends with the session of its user, with the device, and with a session that it does not have', async () => {
  const { admin, device, streamer, opened, beat, open } = await newShop()
  const { token } = await opened()
  const other = await newShop()
  const stranger = await other.opened()
  expect(await beat(`${streamer.token}.${stranger.session}`)).toBe(401)
  expect(await beat(`${streamer.token}.x`)).toBe(401)
  await server.call(deleteDevice, { token: admin, body: { uid: device.uid } })
  expect(await beat(token)).toBe(401)
  expect((await open(newRun())).statusCode).toBe(404)
})

it('is refused to managers and admins, who play no device', async () => {
  const { admin } = await newShop()
  expect((await server.ask(openStreamingSession, { token: admin, body: newRun() })).statusCode).toBe(403)
})
