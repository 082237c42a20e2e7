import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildPath } from '@floorcast/contract/client.ts'
import { readLimits } from '@floorcast/contract/dashboard.ts'
import { openDeviceSession, sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { uploadMedia } from '@floorcast/contract/media.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { startAttackedServer } from '@floorcast/testing/attacked-server.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { beforeAll, expect, test } from 'vitest'

/*
 * A client tries to fill the disk: with files of unknown length, and with the reports of a device. The short forms are
 * uploads/upload-slots.test.ts, ingest/report-budget.test.ts and, on a disk of 400 MB, full-disk.slow.ts.
 */

const PLAN_BYTES = 50_000_000
const UPLOADS = 12
const CALLS = 255
const EVENTS = 500
const HEARTBEATS = 20_000
const AT_ONCE = 16

const folder = mkdtempSync(join(tmpdir(), 'floorcast flood '))
const server = await startAttackedServer({ DATA_DIR: folder })
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
const token = await server.newClient('attacker@example.com')

beforeAll(() =>
  asSuperuser(server.superuserUrl, superuser =>
    superuser.query(`update plans set media_gigabytes = $1 where key = 'trial'`, [PLAN_BYTES / 1e9]),
  ),
)

async function ask(path: string, { token, body }: { token: string; body?: object }) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const method = body ? 'POST' : 'GET'
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data = {} } = (await answer.json()) as { data?: Record<string, unknown> }
  return { status: answer.status, data }
}

async function openDevice(name: string) {
  const { data } = await ask(buildPath(addDevice.path, { contentType: 'audio' }), { token, body: { name } })
  const card = await ask(buildPath(readDevice.path, { id: String(data['uid']) }), { token })
  const body = { licenseKey: card.data['licenseKey'], boxId: randomUUID(), model: 'test', version: '1' }
  const session = await ask(openDeviceSession.path, { token: '', body })
  return { token: String(session.data['token']), playpointid: String(session.data['playpointid']) }
}

/** Runs the calls, some at once. @returns how many ended in each status */
async function statusesOf(count: number, call: () => Promise<number>): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  let left = count
  const work = async () => {
    while (left > 0) {
      left -= 1
      const status = await call()
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return statuses
}

const bytesOnDisk = () =>
  readdirSync(join(folder, 'media'), { recursive: true, withFileTypes: true }).reduce(
    (sum, file) =>
      sum +
      (file.isFile()
        ? (statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0)
        : 0),
    0,
  )

/** Sends a file as long as the whole plan without a Content-Length, until the server answers. */
async function sendEndless(name: string): Promise<number> {
  const boundary = randomUUID()
  const sending = request(`${server.origin}${buildPath(uploadMedia.path, { contentType: 'melodies' })}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  sending.on('error', () => {})
  let isAnswered = false
  const answered = (once(sending, 'response') as Promise<[IncomingMessage]>).then(([answer]) => {
    isAnswered = true
    answer.resume()
    return answer.statusCode ?? 0
  })
  const file = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: audio/mpeg`
  sending.write(`--${boundary}\r\n${file}\r\n\r\n`)
  for (let sent = 0; sent < PLAN_BYTES && !isAnswered; sent += 262_144)
    if (!sending.write(Buffer.alloc(262_144))) await Promise.race([once(sending, 'drain'), answered])
  sending.end(`\r\n--${boundary}--\r\n`)
  return answered
}

test(`${UPLOADS} files of unknown length, each as long as the plan, write no more than the plan`, async () => {
  let peak = 0
  let isDone = false
  const watch = async () => {
    for (; !isDone; await pause(20)) peak = Math.max(peak, bytesOnDisk())
  }
  const watched = watch()
  let number = 0
  let statuses: Record<string, number> = {}
  const { failed } = await server.measure(`${UPLOADS} uploads without a length`, async () => {
    statuses = await statusesOf(UPLOADS, () => sendEndless(`${(number += 1)}.mp3`))
  })
  isDone = true
  await watched
  console.log(JSON.stringify({ statuses, planMb: PLAN_BYTES / 1e6, peakMb: Math.round(peak / 1e6) }))
  expect(failed).toBe(0)
  // On a busy machine one ends before the last one begins.
  expect(statuses['429']).toBeGreaterThan(0)
  expect(peak).toBeLessThanOrEqual(PLAN_BYTES)
  expect(bytesOnDisk()).toBe(0)
})

/** Bytes of the tables of history with their indexes, and what the client's statistics count. */
async function historyBytes() {
  const { rows } = await asSuperuser(server.superuserUrl, superuser =>
    superuser.query<{ stored: string }>(
      `select sum(pg_total_relation_size(inhrelid)) as stored from pg_inherits
       where inhparent in ('plays'::regclass, 'device_logs'::regclass, 'heartbeats'::regclass)`,
    ),
  )
  const { data } = await ask(readLimits.path, { token })
  return { stored: Number(rows[0]?.stored), metered: (data['statisticsBytes'] as { used: number }).used }
}

async function flood(name: string, count: number, call: () => Promise<number>) {
  const before = await historyBytes()
  const startedAt = performance.now()
  let statuses: Record<string, number> = {}
  const { failed } = await server.measure(name, async () => {
    statuses = await statusesOf(count, call)
  })
  const after = await historyBytes()
  const storedBytes = after.stored - before.stored
  const meteredBytes = after.metered - before.metered
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  console.log(
    JSON.stringify({
      statuses,
      seconds,
      storedMb: Math.round(storedBytes / 1e5) / 10,
      meteredMb: Math.round(meteredBytes / 1e5) / 10,
    }),
  )
  expect(failed).toBe(0)
  return { statuses, seconds, share: meteredBytes / storedBytes }
}

/** Each server counts for itself what it admits of a device (docs/scaling.md, 'What a server holds'). */
const admitted = (atOnce: number, seconds: number) => server.programs.length * (atOnce + seconds)

test(`${CALLS * EVENTS} events of one device with the longest texts`, async () => {
  const device = await openDevice('Flooding')
  const path = buildPath(sendEvents.path, { playpointid: device.playpointid })
  let sequence = 0
  const { statuses, seconds, share } = await flood(`${CALLS * EVENTS} events`, CALLS, async () => {
    const body = Array.from({ length: EVENTS }, () => ({
      kind: 'debug',
      id: randomUUID(),
      bootId: device.playpointid,
      sequence: (sequence += 1),
      at: new Date().toISOString(),
      level: 'info',
      code: 'flood',
      message: randomUUID().repeat(27),
    }))
    return (await ask(path, { token: device.token, body })).status
  })
  const stored = statuses[200] ?? 0
  expect(stored * EVENTS).toBeLessThanOrEqual(admitted(50_000, seconds))
  expect(stored + (statuses[429] ?? 0)).toBe(CALLS)
  expect(share).toBeGreaterThan(0.7)
  expect(share).toBeLessThan(1.5)
})

test(`${HEARTBEATS} heartbeats of one device`, async () => {
  const device = await openDevice('Beating')
  const { statuses, seconds } = await flood(
    `${HEARTBEATS} heartbeats`,
    HEARTBEATS,
    async () =>
      (await ask(sendHeartbeat.path, { token: device.token, body: makeHeartbeat({ bootId: randomUUID() }) }))
        .status,
  )
  expect(statuses[200]).toBeLessThanOrEqual(admitted(2000, seconds))
  expect((statuses[200] ?? 0) + (statuses[429] ?? 0)).toBe(HEARTBEATS)
})
