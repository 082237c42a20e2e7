import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atTheEnd } from './at-the-end.ts'

/**
 * What happens to a request instead of its answer: the connection breaks before the server has it, or after the server has answered; the
 * answer is cut in the middle, or given without the server; or nothing comes at all.
 */
export type LineFault =
  | 'breaks'
  | 'loses-answer'
  | 'cuts-answer'
  | 'is-silent'
  | { status: number; headers?: Record<string, string>; body?: string }

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Asks the server, and does with the answer what the fault says. */
function carry(
  target: string,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  fault?: LineFault,
): void {
  const { method, url, headers } = incoming
  const onward = ask(target + url, { method, headers, agent: false }, answer => {
    if (fault === undefined) {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      return
    }
    void readAll(answer).then(body => {
      if (fault === 'loses-answer') return incoming.socket.destroy()
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      outgoing.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy())
    })
  })
  onward.on('error', () => incoming.socket.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

/**
 * A line to a server that fails as told: `faults` are of the next requests, first come first. `stop` ends all connections and takes none,
 * until `start`.
 */
export async function faultyLine(target: string) {
  const faults: LineFault[] = []
  const seen: Seen[] = []
  const line = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    seen.push({ method, url, headers })
    const fault = faults.shift()
    if (fault === 'is-silent') return
    if (fault === 'breaks') incoming.socket.destroy()
    else if (typeof fault === 'object') {
      incoming.resume()
      outgoing.writeHead(fault.status, fault.headers).end(fault.body)
    } else carry(target, { incoming, outgoing }, fault)
  })
  let port = 0
  const start = () =>
    new Promise<void>(resolve => {
      line.listen(port, '127.0.0.1', () => {
        port = (line.address() as AddressInfo).port
        resolve()
      })
    })
  const stop = () =>
    new Promise<void>(resolve => {
      line.close(() => resolve())
      line.closeAllConnections()
    })
  await start()
  atTheEnd(async () => {
    if (line.listening) await stop()
  })
  return { url: `http://127.0.0.1:${port}`, faults, seen, start, stop }
}
