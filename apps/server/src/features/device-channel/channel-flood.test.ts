import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { Channel } from './channel.ts'

const device = { clientId: 'c', deviceUid: 'd', kind: 'audio' as const, name: 'Till radio', groupUid: null }

test('a device that floods its channel is heard no faster than it is dealt with, and every word of it', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  let underWay = 0
  let most = 0
  const deal = async () => {
    most = Math.max(most, (underWay += 1))
    await pause(1)
    underWay -= 1
  }
  const heartbeat = vi.fn<() => Promise<void>>(deal)
  const acknowledged = vi.fn<() => Promise<void>>(deal)
  server.on('connection', socket => {
    const channel = new Channel(socket, { device, reporterUid: null }, { heartbeat, acknowledged })
    onTestFinished(() => channel.cut())
  })
  const address = server.address()
  const flooding = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  await once(flooding, 'open')
  const ack = JSON.stringify({ type: 'ack', id: '01933d4e-0000-7000-8000-000000000001' })
  for (let count = 0; count < 2000; count += 1) {
    flooding.send(JSON.stringify({ type: 'heartbeat', heartbeat: makeHeartbeat() }))
    flooding.send(ack)
  }
  await vi.waitFor(
    () => expect([heartbeat, acknowledged].map(({ mock }) => mock.calls.length)).toEqual([2000, 2000]),
    {
      timeout: 20_000,
    },
  )
  expect(most).toBeGreaterThan(1)
  // 32, and what one read of the socket had already brought.
  expect(most).toBeLessThan(1000)
})
