import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { makeLog } from '../log/log.ts'
import { makeHttpServer } from './http-server.ts'

const url = 'http://localhost:8080'
const origins = { publicUrl: url, streamUrl: url, logsUrl: url }
const app = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins, idleTimeoutMs: 300 })
app.post('/taken', async () => ({ taken: true }))
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())
const address = app.server.address()
const port = typeof address === 'object' ? (address?.port ?? 0) : 0

/** Sends these bytes and nothing more; resolves with all that came when the server has ended the connection. */
async function send(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  socket.write(text)
  await once(socket, 'close')
  return heard
}
const HEAD = 'POST /taken HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n'

test('a sender that says no more is let go: without a head, with half a head, with half a body', async () => {
  expect(await send('')).toBe('')
  await send(HEAD)
  expect(await send(`${HEAD}Content-Length: 500\r\n\r\n{"name": `)).not.toContain('200 OK')
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', '400 Bad Request', 'malformed'],
  ['two lengths', `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, '400 Bad Request', 'malformed'],
  ['a length that is no number', `${HEAD}Content-Length: 1e3\r\n\r\n{}`, '400 Bad Request', 'malformed'],
  ['endless headers', `${HEAD}X: ${'x'.repeat(40_000)}\r\n\r\n`, '431', 'too-large'],
])('what is no request is answered as a problem: %s', async (_, text, ...[status, code]) => {
  const answer = await send(text)
  expect(answer).toContain(`HTTP/1.1 ${status}`)
  expect(answer).toContain('content-type: application/problem+json')
  expect(answer).toContain(`"code":"${code}"`)
})
