import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Problem } from '@floorcast/contract/problem.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  features: [registerDeviceHost],
  environment: { CONSOLE_ORIGINS: 'https://console.example' },
})
const address = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const { host, port } = new URL(address)

async function openShop() {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  return { uid, player: await openPlayer(server, licenseKey) }
}

/** `open`, or the status of the refusal. */
function tryChannel(uid: string, token: string, origin?: string): Promise<string | number> {
  const socket = new WebSocket(`ws://${host}/api/v2/iplay/channel/${uid}`, {
    headers: { authorization: `Bearer ${token}`, ...(origin === undefined ? {} : { origin }) },
  })
  socket.on('error', () => undefined)
  return new Promise(resolve => {
    socket.once('open', () => {
      socket.close()
      resolve('open')
    })
    socket.once('unexpected-response', (_, { statusCode = 0 }) => {
      socket.terminate()
      resolve(statusCode)
    })
  })
}

test('pages of other sites open no channel; devices, which name no origin, and the console do', async () => {
  const { uid, player } = await openShop()
  const good = [undefined, 'https://shop.example', 'https://console.example', `http://${host}`]
  const origins = [...good, 'https://evil.example', 'http://console.example', 'null']
  const opened: (string | number)[] = []
  for (const origin of origins) opened.push(await tryChannel(uid, player.token, origin))
  expect(opened).toEqual(['open', 'open', 'open', 'open', 403, 403, 403])
})

test('a refused channel is answered as a problem with the id of its request', async () => {
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  const open = request(`${address}/api/v2/iplay/channel/${randomUUID()}`, { headers: upgrade }).end()
  const [answer] = (await once(open, 'response')) as [IncomingMessage]
  const problem = (await json(answer)) as Problem
  expect(problem).toMatchObject({
    type: '/problems/device-token',
    title: 'Unauthorized',
    status: 401,
    code: 'device-token',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  })
  expect(answer.headers).toMatchObject({
    'x-request-id': problem.id,
    'content-type': 'application/problem+json; charset=utf-8',
  })
})

test('a caller that is refused a channel and keeps its half open is cut off', async () => {
  const { connections } = server.http.app
  await vi.waitFor(() => expect(connections.size).toBe(0))
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  const upgrade = ['GET /nowhere HTTP/1.1', 'Host: shop', 'Connection: Upgrade', 'Upgrade: websocket', '', '']
  socket.write(upgrade.join('\r\n'))
  socket.resume()
  await vi.waitFor(() => expect(socket.readableEnded).toBe(true))
  await vi.waitFor(() => expect(connections.size).toBe(0))
  socket.destroy()
})
