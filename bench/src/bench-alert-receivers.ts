import { randomUUID } from 'node:crypto'
import { connect, Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Receivers } from './receiver-process.ts'
import { channelWire, mqttWire, type Receipt, type WireEvents } from './receiver-wires.ts'

/*
 * A separate program: many receivers of alerts that only note when a message came. The first line of standard input is what
 * to connect to. Each further line is the uid of an alert: its arrivals are written as a line. Ends with standard input.
 */

const RESOLUTION_MS = 5
const UID_MARK = '"alertUid":"'
const UID_LENGTH = 36
const SPREAD_MARK = '"receiptsWithinSeconds":'

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()

const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const arrivals = new Map<string, number[]>()
/** Whether the alert's row was visible when the first receiver got it. */
const committed = new Map<string, Promise<boolean>>()
let database: Client | null = null

async function isCommitted(uid: string): Promise<boolean> {
  const found = await database?.query('select 1 from alerts where uid = $1', [uid])
  return (found?.rowCount ?? 0) > 0
}

/** The time within which devices are to send their receipts; 0 in a broker's messages. */
function withinSecondsOf(payload: Buffer): number {
  const mark = payload.indexOf(SPREAD_MARK)
  return mark === -1 ? 0 : Number.parseFloat(payload.toString('latin1', mark + SPREAD_MARK.length))
}

/** Notes an alert's arrival. @returns the receipt, which a broker's subscriber sends at once in its own form */
function noteArrival(payload: Buffer): Receipt | null {
  const at = Date.now()
  const mark = payload.indexOf(UID_MARK)
  if (mark === -1 || !payload.includes('"begin"')) return null
  const uid = payload.toString('latin1', mark + UID_MARK.length, mark + UID_MARK.length + UID_LENGTH)
  const known = arrivals.get(uid)
  if (known) known.push(at)
  else {
    arrivals.set(uid, [at])
    committed.set(uid, isCommitted(uid))
  }
  return { alertUid: uid, withinSeconds: withinSecondsOf(payload) }
}

const MESSAGES_BEFORE = 50_000

/**
 * Reads as many messages as make V8 compile what reads them. In shops each device is a machine of its own: the first alert must
 * not wait until one program, which is all of them here, is compiled.
 */
async function warmUp(): Promise<void> {
  const uid = randomUUID()
  const text = JSON.stringify({
    type: 'alert',
    alertUid: uid,
    step: 'begin',
    beganAt: new Date(),
    sound: uid,
  })
  const head = 'HTTP/1.1 101 Switching Protocols\r\n\r\n'
  const frame = Buffer.concat([
    Buffer.from([0x81, 126, text.length >> 8, text.length & 255]),
    Buffer.from(text),
  ])
  const socket = new Socket()
  const onMessage = (payload: Buffer) => {
    noteArrival(payload)
    return null
  }
  const wire = channelWire(
    { path: '/', token: '' },
    { onReady: () => undefined, onMessage, onRefused: () => undefined },
  )
  wire.read(Buffer.from(head), socket)
  for (let count = 0; count < MESSAGES_BEFORE; count += 1) wire.read(frame, socket)
  await committed.get(uid)
  arrivals.delete(uid)
}

async function connectAll(receivers: Receivers): Promise<void> {
  let ready = 0
  const refused = new Map<string, number>()
  const events: WireEvents = {
    onReady: () => void (ready += 1),
    onMessage: noteArrival,
    onRefused: why => void refused.set(why, (refused.get(why) ?? 0) + 1),
  }
  const { channels, port, perSecond } = receivers
  const startedAt = performance.now()
  for (const [index, channel] of channels.entries()) {
    while (((performance.now() - startedAt) / 1000) * perSecond < index) await pause(10)
    const wire = 'topic' in channel ? mqttWire(channel, events) : channelWire(channel, events)
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (index % 8)}` })
    socket.setNoDelay(true)
    socket.on('connect', () => wire.open(socket))
    socket.on('data', data => wire.read(data, socket))
    socket.on('error', error => events.onRefused(error.message))
  }
  while (ready < channels.length && performance.now() - startedAt < 300_000) await pause(50)
  write({ ready, refused: Object.fromEntries(refused) })
}

async function report(uid: string): Promise<void> {
  const times = arrivals.get(uid) ?? []
  const [lagMs, lagMax] = [delays.percentile(99), delays.max].map(each =>
    Math.max(0, each / 1e6 - RESOLUTION_MS),
  )
  write({ times, lagMs, lagMax, isCommitted: (await committed.get(uid)) ?? false })
  arrivals.delete(uid)
}

const lines = createInterface({ input: process.stdin })
const orders = lines[Symbol.asyncIterator]()
const first = JSON.parse(String((await orders.next()).value)) as Receivers
if (first.databaseUrl !== null) {
  database = new Client({ connectionString: first.databaseUrl })
  await database.connect()
}
await warmUp()
await connectAll(first)
delays.reset()
for await (const uid of orders) await report(uid)
process.exit(0)
