import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { editors, endpoint } from '@floorcast/contract/endpoint.ts'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { Session } from '../../auth/session.ts'
import type { ClientScope } from '../../database/client-scope.ts'
import { makeLog } from '../../log/log.ts'
import { Admission } from '../admit/admission.ts'
import { sendWhileMade } from './send-file.ts'
import { HeavyCalls } from '../admit/heavy-calls.ts'
import { makeHttpServer } from '../http-server.ts'
import { Http } from '../http.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast downloads '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = endpoint({
  path: '/file',
  summary: 'f',
  access: editors,
  isHeavy: true,
  query: z.object({ bytes: z.coerce.number() }),
  answer: z.unknown(),
  answerForm: 'bytes',
})

/** More than the kernel holds of an answer. */
const LARGE = 24_000_000

/** New bytes each time: a chunk that was written is freed. */
function* makeChunks(bytes: number) {
  for (let made = 0; made < bytes; made += 1_000_000) yield Buffer.alloc(1_000_000, 'x')
}

/** A server with two slots, three open calls of a client, and files that may wait for their reader for 8 MB. The token is the client. */
async function makeServer({ maxFirstByteMs = 30_000 } = {}) {
  const address = 'http://localhost'
  const origins = { publicUrl: address, streamUrl: address, logsUrl: address }
  const log = makeLog('info', new PassThrough().resume())
  const app = await makeHttpServer({ log, trustProxy: false, origins })
  const sessionOf = async (clientId: string) =>
    ({ clientId, role: 'admin', rights: 'full', subscriptionExpiresAt: '2099-01-01T00:00:00Z' }) as Session
  const authenticator = {
    userByToken: sessionOf,
    userByTicket: async () => null,
    deviceByToken: async () => null,
  }
  const callers = { openScope: () => ({}) as ClientScope, authenticator }
  const heavyCalls = new HeavyCalls(
    { places: 2, maxWaiting: 9, maxWaitingAClient: 9 },
    { holds: 'to-end', maxOpenAClient: 3, maxWaitMs: 500 },
  )
  const admission = new Admission({ steady: () => performance.now(), random: () => 0 })
  const http = new Http({ app, admission, now: () => new Date(), ...callers, alerts: callers, heavyCalls })
  const places = {
    requireSpace: async () => {},
    dataDir: folder,
    maxAheadBytes: 8_000_000,
    maxFirstByteMs,
  }
  const signals: AbortSignal[] = []
  http.streamToUsers(read, call =>
    sendWhileMade(call, places, async signal => {
      signals.push(signal)
      const { bytes } = call.query
      // A body of 0 bytes never sends anything.
      const body = bytes === 0 ? new PassThrough() : Readable.from(makeChunks(bytes), { objectMode: false })
      return { fileName: 'file.csv', mimeType: 'text/csv', body }
    }),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const bound = app.server.address()
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0
  const ask = (client: string, bytes: number) =>
    fetch(`http://127.0.0.1:${port}/file?bytes=${bytes}`, { headers: { authorization: `Bearer ${client}` } })
  /** A caller that asks and reads nothing of the answer. */
  const askOnly = (client: string, bytes: number) => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(`GET /file?bytes=${bytes} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client}\r\n\r\n`)
  }
  const patience = { timeout: 15_000 }
  const inWork = (count: number) => vi.waitFor(() => expect(heavyCalls.state.inWork).toBe(count), patience)
  const isConnected = (count: number) => vi.waitFor(() => expect(app.connections.size).toBe(count), patience)
  return { ask, askOnly, isConnected, inWork, signals }
}

test('a reader that takes nothing keeps a slot only until its file is made', async () => {
  const { ask, askOnly, inWork } = await makeServer()
  askOnly('a', 8_000_000)
  askOnly('b', 8_000_000)
  await inWork(0)
  const answer = await ask('c', LARGE)
  expect((await answer.arrayBuffer()).byteLength).toBe(LARGE)
})

test('where all slots wait for readers, a newcomer gets the slot of the one that has waited longest', async () => {
  const { ask, askOnly, inWork, isConnected } = await makeServer()
  askOnly('a', 10 * LARGE)
  askOnly('b', 10 * LARGE)
  await inWork(2)
  const answer = await ask('c', 1_000_000)
  expect((await answer.arrayBuffer()).byteLength).toBe(1_000_000)
  await isConnected(2)
})

test('a client has some files open, and is told when to come back', async () => {
  const { ask, askOnly, inWork } = await makeServer()
  for (let count = 0; count < 3; count += 1) askOnly('a', 8_000_000)
  await inWork(0)
  const refused = await ask('a', 1_000_000)
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  expect((await ask('b', 1_000_000)).status).toBe(200)
})

test('a file of which nothing comes is answered before its caller gives up, and its making ends', async () => {
  const { ask, inWork, signals } = await makeServer({ maxFirstByteMs: 300 })
  const answer = await ask('a', 0)
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBe(30)
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('takes too long') as string })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  await inWork(0)
})
