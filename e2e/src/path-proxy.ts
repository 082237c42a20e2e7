import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'

/** Listens at `from` and forwards what is under the path `under` to the port `to`, without that path. The rest is 404. */
export async function startPathProxy(from: number, under: string, to: number): Promise<void> {
  const forward = ({ url = '', method = 'GET', headers }: IncomingMessage) =>
    url.startsWith(`${under}/`)
      ? request({ port: to, host: '127.0.0.1', path: url.slice(under.length), method, headers })
      : null
  const proxy = createServer((incoming, answer) => {
    const call = forward(incoming)
    if (!call) return void answer.writeHead(404).end()
    call.on('response', response => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    call.on('error', () => answer.destroy())
    answer.on('close', () => call.destroy())
    incoming.pipe(call)
  })
  proxy.on('upgrade', (incoming, socket: Duplex) => {
    const call = forward(incoming)
    socket.on('error', () => call?.destroy())
    if (!call) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
    call.on('upgrade', (response, upstream: Duplex) => {
      const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      upstream.on('error', () => socket.destroy())
      upstream.pipe(socket).pipe(upstream)
    })
    call.on('response', response => socket.end(`HTTP/1.1 ${response.statusCode} Refused\r\n\r\n`))
    call.on('error', () => socket.destroy())
    call.end()
  })
  proxy.listen(from, '127.0.0.1')
  await once(proxy, 'listening')
  atTheEnd(async () => {
    proxy.closeAllConnections()
    proxy.close()
  })
}
