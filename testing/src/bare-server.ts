import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { Session } from '../../apps/server/src/platform/auth/session.ts'
import { makeHttpServer } from '../../apps/server/src/platform/http/http-server.ts'
import { ProblemError } from '../../apps/server/src/platform/lib/errors.ts'
import { makeLog } from '../../apps/server/src/platform/log/log.ts'
import { onTestFinished } from 'vitest'

const url = 'http://localhost:8080'
const origins = { publicUrl: url, streamUrl: url, logsUrl: url }

/** More than the kernel holds of an answer. */
export const BIG_BYTES = 32_000_000

type Options = Partial<Parameters<typeof makeHttpServer>[0]>

type App = Awaited<ReturnType<typeof makeHttpServer>>
type Asked = { session: Session | null; headers: Record<string, unknown> }

function addCalls(app: App): void {
  app.post('/taken', async () => ({ taken: true }))
  const identify = {
    onRequest: async ({ raw }: { raw: IncomingMessage }) =>
      app.connections.identify(raw.socket, String(raw.headers['x-caller'])),
  }
  app.post('/known', identify, async () => ({ taken: true }))
  const asStream = {
    onRequest: async ({ raw }: { raw: IncomingMessage }) => app.connections.expectStream(raw),
  }
  app.post('/stream', { ...asStream, config: { takesBytes: true } }, async ({ raw }) => {
    let bytes = 0
    for await (const chunk of raw) bytes += (chunk as Buffer).length
    return { bytes }
  })
  const asUser = {
    onRequest: async (request: Asked) => {
      request.session = { userUid: String(request.headers['x-caller']), clientId: 'one' } as Session
    },
  }
  const refuseUser = () => Promise.reject(new ProblemError('rights'))
  app.post('/known-refused', { ...asUser, preParsing: refuseUser }, async () => ({}))
  const isBusy = () => Promise.reject(new ProblemError('heavy-busy', { retryAfterSeconds: 5 }))
  app.post('/known-busy', { ...identify, preParsing: isBusy }, async () => ({}))
  app.post('/known-large', { ...asUser, bodyLimit: 1_000_000 }, async () => ({ taken: true }))
  app.post('/large', { bodyLimit: 1_000_000 }, async () => ({ taken: true }))
  const refuse = () => Promise.reject(new ProblemError('session-expired'))
  app.post('/refused', { onRequest: refuse }, async () => ({}))
  app.get('/big', async (_, reply) => reply.send(Buffer.alloc(BIG_BYTES, 'x')))
}

/**
 * A server with a public call, one whose caller is known by its header, one that takes a stream and one that takes large
 * bodies and answers at the end of the test. `lines` has its log.
 */
export async function startBareServer(options: Options = {}) {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  })
  const app = await makeHttpServer({
    log: makeLog('info', destination),
    trustProxy: false,
    origins,
    ...options,
  })
  addCalls(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const sockets: Socket[] = []
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
  })

  /** A connection that has sent these bytes, and all that came back. */
  async function open(text = '') {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    const heard = { text: '', isClosed: false }
    socket.on('data', (chunk: Buffer) => (heard.text += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => (heard.isClosed = true))
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    return { socket, heard }
  }
  /** Resolves with all that came when the server has ended the connection. */
  async function send(text: string): Promise<string> {
    const { socket, heard } = await open(text)
    if (!heard.isClosed) await once(socket, 'close')
    return heard.text
  }
  const warnings = () => lines.filter(({ level }) => Number(level) >= 40).map(({ msg }) => String(msg))
  return { app, port, lines, warnings, open, send }
}

export const head = (path: string, ...more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: shop', 'Content-Type: application/json', ...more, ''].join('\r\n')
export const HEAD = head('/taken')
export const HALF = `${head('/taken', 'Content-Length: 500')}\r\n{"name": `
export const WHOLE = `${head('/taken', 'Content-Length: 2', 'Connection: close')}\r\n{}`
export const known = (caller: string) => `${head('/known', `X-Caller: ${caller}`, 'Content-Length: 2')}\r\n{}`
