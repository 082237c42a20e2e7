import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/*
 * A separate program: `bench-heartbeat-senders.ts PORT SECONDS` reads tokens and the body from standard input as JSON and posts
 * heartbeats over one persistent connection for each token, one after another. Writes the number of answers per second. It
 * uses sockets: an HTTP client costs as much as the server and would hide the server's cost.
 */
interface Orders {
  tokens: string[]
  body: string
}

const [port, seconds] = process.argv.slice(2).map(Number)
if (!port || !seconds) throw new Error('Usage: bench-heartbeat-senders.ts PORT SECONDS')

async function readOrders(): Promise<Orders> {
  let text = ''
  for await (const piece of process.stdin) text += String(piece)
  return JSON.parse(text) as Orders
}

const requestOf = (token: string, body: string) =>
  Buffer.from(
    [
      'POST /api/v2/heartbeat/send HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      `authorization: Bearer ${token}`,
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )

/** Posts until `until`; resolves to how many were answered with HTTP 200. */
async function post(socket: Socket, request: Buffer, until: number): Promise<number> {
  let answered = 0
  let received = ''
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  socket.setEncoding('latin1').setNoDelay(true)
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the server closed the connection')))
  socket.on('data', (piece: string) => {
    received += piece
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (received.length < head + 4 + length) return
    if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received))
    received = ''
    answered += 1
    if (performance.now() < until) socket.write(request)
    else resolve(answered)
  })
  socket.write(request)
  return promise
}

const { tokens, body } = await readOrders()
const sockets = await Promise.all(
  tokens.map(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }),
)
const startedAt = performance.now()
const counts = await Promise.all(
  tokens.map((token, index) => {
    const socket = sockets[index]
    if (!socket) throw new Error('a token without a connection')
    return post(socket, requestOf(token, body), startedAt + seconds * 1000)
  }),
)
const passed = (performance.now() - startedAt) / 1000
console.log(counts.reduce((sum, count) => sum + count, 0) / passed)
process.exit(0)
