import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { makeLog } from '../../platform/log/log.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { Channel } from './channel.ts'

const device = { clientId: 'c', deviceUid: 'd', kind: 'audio' as const, name: 'Till radio', groupUid: null }
const peer = { device, reporterUid: null, userSession: null, protocol: 2 }

test('a device that does not read its messages is cut off before they fill the memory', () => {
  const socket = Object.assign(new EventEmitter(), {
    OPEN: WebSocket.OPEN,
    readyState: WebSocket.OPEN,
    bufferedAmount: 0,
    send: vi.fn<(json: string | Buffer) => void>(json => void (socket.bufferedAmount += json.length)),
    terminate: vi.fn<() => void>(),
  })
  const drain = () => Promise.resolve()
  const reports = { receiveHeld: drain, receiveReceipt: drain, receiveLostChannel: drain, drain }
  const ingest = { heartbeats: { receive: vi.fn<Ingest['heartbeats']['receive']>(), drain }, reports }
  const channel = new Channel(socket as unknown as WebSocket, peer, {
    ingest,
    onAck: drain,
    log: makeLog('silent'),
  })
  for (let count = 0; count < 100_000; count += 1) channel.sendManifestNotice(20)
  expect(socket.terminate).toHaveBeenCalledWith()
  expect(socket.bufferedAmount).toBeLessThan(1024 * 1024 + 100)
})

test('the server reads a flooded channel no faster than it answers, and loses no message', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  let inWork = 0
  let maxInWork = 0
  const work = async () => {
    maxInWork = Math.max(maxInWork, (inWork += 1))
    await pause(1)
    inWork -= 1
  }
  const answer = { serverTime: new Date(0).toISOString(), manifestEtag: '', alerts: [] }
  const receive = vi.fn<Ingest['heartbeats']['receive']>(() => work().then(() => answer))
  const onAck = vi.fn<() => Promise<void>>(work)
  const log = makeLog('silent')
  server.on('connection', socket => {
    const drain = () => Promise.resolve()
    const reports = { receiveHeld: work, receiveReceipt: work, receiveLostChannel: work, drain }
    const ingest = { heartbeats: { receive, drain }, reports }
    const channel = new Channel(socket, peer, { ingest, onAck, log })
    onTestFinished(() => channel.terminate())
  })
  const address = server.address()
  const flooding = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  let answers = 0
  flooding.on('message', () => (answers += 1))
  await once(flooding, 'open')
  const ack = JSON.stringify({ type: 'ack', id: '01933d4e-0000-7000-8000-000000000001' })
  for (let count = 0; count < 2000; count += 1) {
    flooding.send(JSON.stringify({ type: 'heartbeat', heartbeat: makeHeartbeat() }))
    flooding.send(ack)
  }
  await vi.waitFor(
    // Nothing was sent that waits for an acknowledgement.
    () => expect([receive.mock.calls.length, onAck.mock.calls.length, answers]).toEqual([2000, 0, 2000]),
    { timeout: 20_000 },
  )
  expect(maxInWork).toBeGreaterThan(1)
  // 32, and the messages that one read of the socket had already brought.
  expect(maxInWork).toBeLessThan(1000)
})
