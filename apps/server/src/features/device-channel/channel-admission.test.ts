import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Caller } from '../../platform/http/admit/admission-queue.ts'
import { notify } from '../../platform/database/notify.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDeviceHost] })
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const { admission } = server.http
afterEach(() => void vi.restoreAllMocks())

async function openShop() {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  return { uid, licenseKey, player: await openPlayer(server, licenseKey) }
}

test('a channel that the server has no time for is refused with 503 and Retry-After', async () => {
  const { uid, player } = await openShop()
  vi.spyOn(admission, 'run').mockRejectedValueOnce(new ProblemError('busy', { retryAfterSeconds: 7 }))
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v2/iplay/channel/${uid}`, {
    headers: { authorization: `Bearer ${player.token}` },
  })
  const refused = await new Promise(resolve => {
    socket.once('unexpected-response', (_, { statusCode, headers }) =>
      resolve([statusCode, headers['retry-after']]),
    )
  })
  socket.on('error', () => undefined)
  socket.terminate()
  expect(refused).toEqual([503, '7'])
  const channel = await openChannel(origin, uid, player.token)
  await channel.close()
})

test('a session that ends while its channel waits for its turn opens none', async () => {
  const { uid, licenseKey, player } = await openShop()
  const run = admission.run.bind(admission)
  vi.spyOn(admission, 'run').mockImplementation(async (priority, caller: Caller, work) => {
    if (priority !== 'connect' || !caller.onWait || caller.clientId === '') return run(priority, caller, work)
    vi.restoreAllMocks()
    caller.onWait(() => undefined)
    await openPlayer(server, licenseKey, player.boxId)
    return run(priority, caller, work)
  })
  await expect(openChannel(origin, uid, player.token)).rejects.toThrow('HTTP 401')
})

test('a late notice of a former session does not silence the newest one', async () => {
  const { uid, licenseKey, player } = await openShop()
  const newest = await openPlayer(server, licenseKey, player.boxId)
  const channel = await openChannel(origin, uid, newest.token)
  await server.database.ingest.write(writes => notify(writes, 'reporter', [uid, uuidV7()]))
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
  await vi.waitFor(() => expect(channel.heard.map(({ type }) => type)).toContain('heartbeat-answer'))
  expect(channel.heard.map(({ type }) => type)).not.toContain('replaced')
  await openPlayer(server, licenseKey, player.boxId)
  expect(await channel.closed).toBe(4001)
})
