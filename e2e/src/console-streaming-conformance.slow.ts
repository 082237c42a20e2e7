import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { makeTicket } from '@floorcast/contract/auth.ts'
import {
  openDeviceSession,
  openStreamingSession,
  sendHeartbeat,
} from '@floorcast/contract/device-protocol.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { sendJson } from '@floorcast/testing/faulty-files.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { findBroken, playerGroups } from '../../tools/conformance/player-checks.ts'
import { prepareServer } from '../../tools/conformance/programmes.ts'
import type { ReferenceServer } from '../../tools/conformance/reference-server.ts'
import { inviteStreamer, publishToDevice, type SignedInClient } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
let deviceUid: string
let streamer: SignedInClient

beforeAll(async () => {
  const published = await publishToDevice(
    shop.client,
    await writeSongs(shop.folder, { count: 1, seconds: 4 }),
  )
  deviceUid = published.deviceUid
  streamer = await inviteStreamer(shop.client, deviceUid)
})

/** The call of a streamer for a session, as a device with a license key makes it. */
async function sessionCallOf(incoming: IncomingMessage): Promise<string> {
  const { runId, formerSession } = JSON.parse(await text(incoming)) as BodyOf<typeof openStreamingSession>
  const body: BodyOf<typeof openDeviceSession> = {
    licenseKey: 'CONFORMANCE',
    boxId: uidOf(1),
    model: 'Chromium',
    version: 'browser',
    runId,
    ...(formerSession !== undefined && { formerSession }),
  }
  return JSON.stringify(body)
}

/** A streamer is told which start of a player reported before; here it is the first one. */
async function answerSession(from: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { data } = JSON.parse(await text(from)) as { data: object }
  sendJson(answer, { ...data, formerRun: null })
}

/** The console comes from its server; what a device asks goes to the reference server. */
async function forward(
  reference: ReferenceServer,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const path = incoming.url ?? ''
  if (path === makeTicket.path)
    return sendJson(answer, { ticket: 'any', expiresAt: '2099-01-01T00:00:00.000Z' })
  const opensSession = path === openStreamingSession.path
  const isOfDevice = opensSession || path.startsWith('/api/v2/iplay/') || path === sendHeartbeat.path
  const { 'content-length': _, ...headers } = incoming.headers
  const url = (isOfDevice ? reference.url : shop.url) + (opensSession ? openDeviceSession.path : path)
  const call = request(url, { method: incoming.method, headers }, from => {
    if (opensSession && from.statusCode === 200) return void answerSession(from, answer)
    answer.writeHead(from.statusCode ?? 502, from.headers)
    from.pipe(answer)
    from.once('error', () => answer.destroy())
  })
  call.once('error', () => answer.destroy())
  if (opensSession) call.end(await sessionCallOf(incoming))
  else incoming.pipe(call)
}

async function openProxy(reference: ReferenceServer): Promise<Server> {
  const server = createServer((incoming, answer) => void forward(reference, incoming, answer))
  server.on('upgrade', ({ url = '', rawHeaders }: IncomingMessage, socket) => {
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    )
    const to = connect(Number(new URL(reference.url).port), '127.0.0.1')
    to.write([`GET ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    socket.pipe(to).pipe(socket)
    for (const [one, other] of [
      [socket, to],
      [to, socket],
    ] as const)
      one.once('error', () => other.destroy())
  })
  server.listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  return server
}

it.each(Object.entries(playerGroups))(
  'a streamer holds the rules of docs/device-protocol.md for players: %s',
  async (_, checks) => {
    const reference = await prepareServer({ patienceSeconds: 60, firstSecond: 48 })
    onTestFinished(() => reference.stop())
    const proxy = await openProxy(reference)
    onTestFinished(async () => {
      await shop.page.goto('about:blank')
      proxy.close()
      proxy.closeAllConnections()
    })
    const address = proxy.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await shop.visitAt(`http://127.0.0.1:${port}`, `/home/streaming/${deviceUid}`, streamer)
    expect(await findBroken(checks, { server: reference, hasProgram: false })).toEqual([])
  },
)
