import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { addDevice } from '@floorcast/contract/devices.ts'
import { makeClientFixture } from '@floorcast/testing/contract-fixture.ts'
import {
  type MalformedRequest,
  malformedRequest,
  whyNotRefused,
} from '@floorcast/testing/malformed-arbitrary.ts'
import { changedTables, watchTables } from '@floorcast/testing/table-checksums.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'

const server = await wholeServer()
const client = await makeClientFixture(server)
const look = await watchTables(server.superuserUrl)
await server.http.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.http.app.server.address() as AddressInfo
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
afterAll(() => agent.destroy())

const tokens = {
  user: client.token,
  device: client.deviceToken,
  operator: client.operatorToken,
  public: null,
}

/** Over a connection that is kept: an answer that does not come rejects. */
async function send(request: MalformedRequest) {
  const token = tokens[request.by]
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...request.headers }
  const outgoing = httpRequest({
    agent,
    port,
    host: '127.0.0.1',
    method: request.method,
    path: request.url,
    headers,
  })
  outgoing.end(request.payload ?? undefined)
  const [answer] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage]
  return { statusCode: answer.statusCode ?? 0, body: await textOf(answer) }
}

test('2,000 malformed requests over kept connections: each is answered', async () => {
  const before = await look()
  const handful = fc.array(malformedRequest(client.fixtures), { minLength: 100, maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(handful, async requests => {
      const answers = await Promise.all(requests.map(send))
      const wrong = answers.map((answer, index) => ({ why: whyNotRefused(answer), request: requests[index] }))
      expect(wrong.filter(({ why }) => why !== null)).toEqual([])
      expect(changedTables(before, await look())).toEqual([])
    }),
    { numRuns: 20, endOnFailure: true },
  )
}, 180_000)

const body = JSON.stringify({ name: 'Till radio' })
const HEAD = [
  `POST ${addDevice.path.replace('{contentType}', 'audio')} HTTP/1.1`,
  'Host: shop.example',
  `Authorization: Bearer ${client.token}`,
  'Content-Type: application/json',
]
const whole = (more: string[], rest: string) => [...HEAD, ...more].join('\r\n') + `\r\n\r\n${rest}`
const noise = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 60 })

/** Requests that contradict themselves; the server must accept none of them. */
const broken = fc.oneof(
  noise.map(text => `${text}\r\n\r\n`),
  fc
    .constantFrom('1e2', '-1', '0x20', '2, 3', '', '99999999999999999999')
    .map(length => whole([`Content-Length: ${length}`], body)),
  fc.constant(whole([`Content-Length: ${body.length}`, 'Content-Length: 3'], body)),
  fc.constant(whole([`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], body)),
  fc
    .constantFrom('zz\r\n', '-5\r\n', '5;\0\r\n', 'fffffffffffffffff\r\n')
    .map(size => whole(['Transfer-Encoding: chunked'], `${size}${body}\r\n0\r\n\r\n`)),
  fc
    .constantFrom('HTTP/9.9', 'HTTP', 'http/1.1', 'HTTP/1.1 x')
    .map(version => whole([`Content-Length: ${body.length}`], body).replace('HTTP/1.1', version)),
  fc
    .constantFrom('X Y: z', ': z', 'X\0: z', ' folded', `X: ${'x'.repeat(20_000)}`)
    .map(line => whole([line, `Content-Length: ${body.length}`], body)),
  // It ends before it is whole.
  fc
    .nat(whole([`Content-Length: ${body.length}`], body).length - 1)
    .map(end => whole([`Content-Length: ${body.length}`], body).slice(0, end)),
)

/** Sends the bytes and ends; resolves with all that came back. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  // The server may end it while the rest is being written.
  socket.on('error', () => undefined)
  socket.end(Buffer.from(bytes, 'latin1'))
  await once(socket, 'close')
  return heard
}

test('2,000 connections with broken HTTP: none is taken, none is a fault, and the next one is answered', async () => {
  const before = await look()
  await fc.assert(
    fc.asyncProperty(fc.array(broken, { minLength: 40, maxLength: 40 }), async requests => {
      const heard = await Promise.all(requests.map(exchange))
      const wrong = heard.map((answer, index) => ({ answer, request: requests[index] }))
      expect(wrong.filter(({ answer }) => answer !== '' && !/^HTTP\/1\.1 4\d\d /.test(answer))).toEqual([])
      const live = await fetch(`http://127.0.0.1:${port}/health/live`)
      expect(live.status).toBe(200)
      expect(changedTables(before, await look())).toEqual([])
    }),
    { numRuns: 50, endOnFailure: true },
  )
}, 180_000)
