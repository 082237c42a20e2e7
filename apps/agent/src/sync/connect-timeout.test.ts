import { once } from 'node:events'
import { connect, createServer, type LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { extendConnectTimeout } from './connect-timeout.ts'

test('A server is reached at its slow first address if its second address is dead', async () => {
  extendConnectTimeout()
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const lookup: LookupFunction = (_name, _options, callback) => {
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    const slow = performance.now() + 400
    while (performance.now() < slow) continue
  }
  const socket = connect({ host: 'server.example', port, lookup })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  expect(socket.remoteAddress).toBe('127.0.0.1')
})
