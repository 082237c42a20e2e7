import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'

/*
 * A separate program: reads its orders from standard input as JSON. Each sender is a connection that posts the reports of its
 * devices in turns, one call after another. Writes the number of reports that were accepted per second. It uses sockets: an HTTP
 * client costs as much as the server and would hide the server's cost.
 */
export interface IngestOrders {
  /** The servers, which the senders call in turns. */
  ports: number[]
  seconds: number
  /** The devices of each sender. */
  senders: { uid: string; token: string }[][]
  /** Sent as it is. */
  heartbeat: Heartbeat | null
  /** So many plays in a call; each is this one with its own id and number, and begins when the former has ended. */
  plays: { batch: number; play: PlayEvent } | null
}

interface Sending {
  uid: string
  token: string
  bootId: string
  sequence: number
}

const orders = JSON.parse(await text(process.stdin)) as IngestOrders

function playsOf(sending: Sending, { batch, play }: NonNullable<IngestOrders['plays']>): string {
  const begun = Date.parse(play.startedAt)
  const plays = Array.from({ length: batch }, (): PlayEvent => {
    const from = begun + sending.sequence * play.durationSeconds * 1000
    const startedAt = new Date(from).toISOString()
    const endedAt = new Date(from + play.durationSeconds * 1000).toISOString()
    sending.sequence += 1
    const times = { at: endedAt, scheduledAt: startedAt, startedAt, endedAt }
    return { ...play, ...times, id: randomUUID(), bootId: sending.bootId, sequence: sending.sequence }
  })
  return JSON.stringify(plays)
}

function requestOf(sending: Sending): string {
  const path = orders.plays ? `/api/v2/iplay/send/list/${sending.uid}` : '/api/v2/heartbeat/send'
  const body = orders.plays ? playsOf(sending, orders.plays) : JSON.stringify(orders.heartbeat)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `authorization: Bearer ${sending.token}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The number of accepted reports of an answer. Raises for a refused one. */
function acceptedOf(answer: string): number {
  const { data } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { data: { accepted?: number } }
  if (!answer.startsWith('HTTP/1.1 200') || (orders.plays && data.accepted !== orders.plays.batch))
    throw new Error(answer.slice(0, 1000))
  return data.accepted ?? 1
}

/** Posts until `until`; resolves to how many reports were accepted. */
function post(socket: Socket, devices: readonly Sending[], until: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let [calls, accepted, received] = [0, 0, '']
  const send = () => {
    const sending = devices[calls % devices.length]
    calls += 1
    if (sending) socket.write(requestOf(sending))
  }
  socket.setEncoding('utf8').setNoDelay(true)
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the server closed the connection')))
  socket.on('data', (piece: string) => {
    received += piece
    const head = received.indexOf('\r\n\r\n')
    if (head < 0 || received.length < head + 4 + Number(/content-length: (\d+)/i.exec(received)?.[1])) return
    try {
      accepted += acceptedOf(received)
    } catch (error) {
      return reject(error)
    }
    received = ''
    if (performance.now() < until) send()
    else resolve(accepted)
  })
  send()
  return promise
}

const senders = await Promise.all(
  orders.senders.map(async (devices, nr) => {
    const socket = connect(orders.ports[nr % orders.ports.length] ?? 0, '127.0.0.1')
    await once(socket, 'connect')
    return { socket, devices: devices.map(device => ({ ...device, bootId: randomUUID(), sequence: 0 })) }
  }),
)
const begun = performance.now()
const until = begun + orders.seconds * 1000
const accepted = await Promise.all(senders.map(({ socket, devices }) => post(socket, devices, until)))
const passed = (performance.now() - begun) / 1000
console.log(accepted.reduce((sum, each) => sum + each, 0) / passed)
process.exit(0)
