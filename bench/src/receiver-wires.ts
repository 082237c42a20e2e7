import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

/*
 * The least that receives on a device's channel and on an MQTT broker: both parse frames on a plain socket, so that neither
 * client library counts in the comparison.
 */

/** What a device sends on its channel when it has an alert, at a random moment within this time. */
export interface Receipt {
  alertUid: string
  withinSeconds: number
}

export interface WireEvents {
  /** The connection receives messages from now on. */
  onReady: () => void
  /** Returns the receipt of the message; null without. */
  onMessage: (payload: Buffer) => Receipt | null
  onRefused: (why: string) => void
}

/** Reads frames from one connection. It gets each piece of data after `open` has sent the first bytes. */
export interface Wire {
  open: (socket: Socket) => void
  read: (data: Buffer, socket: Socket) => void
}

const NOTHING = Buffer.alloc(0)

/** Collects data, and hands complete frames to `readFrame`, which returns a frame's length; 0 if it is not complete. */
function frames(readFrame: (data: Buffer, socket: Socket) => number): Wire['read'] {
  let rest = NOTHING
  return (data, socket) => {
    let left = rest.length > 0 ? Buffer.concat([rest, data]) : data
    for (
      let length = readFrame(left, socket);
      length > 0 && left.length > 0;
      length = readFrame(left, socket)
    )
      left = left.subarray(length)
    rest = left.length > 0 ? Buffer.from(left) : NOTHING
  }
}

/** A masked frame, as clients send it. The mask is zero, so the payload stays readable. */
function clientFrame(opcode: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), payload])
}

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

/** The offset and length of the payload of a server's frame; null if the head is not complete. */
function payloadOf(data: Buffer): { from: number; length: number } | null {
  if (data.length < 2) return null
  const length = (data[1] ?? 0) & 127
  if (length < 126) return { from: 2, length }
  if (data.length < 10)
    return data.length >= 4 && length === 126 ? { from: 4, length: data.readUInt16BE(2) } : null
  return length === 126
    ? { from: 4, length: data.readUInt16BE(2) }
    : { from: 10, length: Number(data.readBigUInt64BE(2)) }
}

function sendReceipt(socket: Socket, { alertUid, withinSeconds }: Receipt): void {
  const at = performance.now()
  const send = () => {
    const agoMs = Math.round(performance.now() - at)
    const text = JSON.stringify({ type: 'receipt', alertUid, step: 'received', agoMs })
    socket.write(clientFrame(TEXT, Buffer.from(text)))
  }
  if (withinSeconds > 0) setTimeout(send, Math.random() * withinSeconds * 1000)
  else send()
}

/** A device's channel. */
export function channelWire(to: { path: string; token: string }, events: WireEvents): Wire {
  let isOpen = false
  const readHead = (data: Buffer) => {
    const end = data.indexOf('\r\n\r\n')
    if (end === -1) return 0
    const status = data.subarray(9, 12).toString('latin1')
    if (status !== '101') events.onRefused(`HTTP ${status}`)
    isOpen = status === '101'
    if (isOpen) events.onReady()
    return isOpen ? end + 4 : data.length
  }
  const readFrame = (data: Buffer, socket: Socket) => {
    const payload = payloadOf(data)
    if (!payload || data.length < payload.from + payload.length) return 0
    const { from, length } = payload
    const opcode = (data[0] ?? 0) & 15
    const body = data.subarray(from, from + length)
    const receipt = opcode === TEXT ? events.onMessage(body) : null
    if (receipt) sendReceipt(socket, receipt)
    if (opcode === PING) socket.write(clientFrame(PONG, Buffer.from(body)))
    if (opcode === CLOSE) socket.end()
    return from + length
  }
  return {
    open: socket =>
      socket.write(
        [
          `GET ${to.path} HTTP/1.1`,
          'host: 127.0.0.1',
          'connection: upgrade',
          'upgrade: websocket',
          'sec-websocket-version: 13',
          `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
          `authorization: Bearer ${to.token}`,
          '\r\n',
        ].join('\r\n'),
      ),
    read: frames((data, socket) => (isOpen ? readFrame(data, socket) : readHead(data))),
  }
}

const mqttText = (text: string) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

function mqttPacket(head: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const lengths: number[] = []
  let left = body.length
  do {
    lengths.push((left & 127) | (left > 127 ? 128 : 0))
    left >>= 7
  } while (left > 0)
  return Buffer.concat([Buffer.from([head, ...lengths]), body])
}

const MQTT = { connect: 0x10, connack: 2, publish: 3, puback: 0x40, subscribe: 0x82, suback: 9 } as const

/** The packet that opens a connection to an MQTT 3.1.1 broker, with a clean session and without pings. */
const mqttConnect = (id: string) =>
  mqttPacket(MQTT.connect, mqttText('MQTT'), Buffer.from([4, 2, 0, 0]), mqttText(id))

/** The packet that publishes a message with QoS 1. */
export const mqttPublish = (topic: string, packetId: number, payload: string) =>
  mqttPacket(0x32, mqttText(topic), Buffer.from([packetId >> 8, packetId & 255]), Buffer.from(payload))

/** The length of an MQTT packet's head and body; null if the head is not complete. */
function mqttLength(data: Buffer): { head: number; body: number } | null {
  let body = 0
  for (let index = 1; index < 5; index += 1) {
    const byte = data[index]
    if (byte === undefined) return null
    body |= (byte & 127) << (7 * (index - 1))
    if (byte < 128) return { head: index + 1, body }
  }
  return null
}

/** A subscriber with QoS 1 of a broker, or a connection that only publishes, without a topic. */
export function mqttWire(to: { id: string; topic: string | null }, events: WireEvents): Wire {
  const subscribe = (topic: string) =>
    mqttPacket(MQTT.subscribe, Buffer.from([0, 1]), mqttText(topic), Buffer.from([1]))
  const readPacket = (data: Buffer, socket: Socket) => {
    const length = mqttLength(data)
    if (!length || data.length < length.head + length.body) return 0
    const type = (data[0] ?? 0) >> 4
    const body = data.subarray(length.head, length.head + length.body)
    if (type === MQTT.connack && body[1] !== 0) events.onRefused(`MQTT ${body[1]}`)
    else if (type === MQTT.connack && to.topic !== null) socket.write(subscribe(to.topic))
    else if (type === MQTT.connack || type === MQTT.suback) events.onReady()
    if (type === MQTT.publish) {
      const from = 2 + body.readUInt16BE(0)
      events.onMessage(body.subarray(from + 2))
      socket.write(Buffer.from([MQTT.puback, 2, body[from] ?? 0, body[from + 1] ?? 0]))
    }
    return length.head + length.body
  }
  return { open: socket => socket.write(mqttConnect(to.id)), read: frames(readPacket) }
}
