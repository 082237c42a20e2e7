import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** The next order for the attacker. */
export type AttackOrder =
  | {
      do: 'open'
      count: number
      bytes: Uint8Array
      addresses: number
      perSecond: number
      /** A text in the bytes in whose place each connection sends its number, as long. */
      number?: string
    }
  | { do: 'write'; text: string }
  | { do: 'post'; url: string; tokens: readonly string[]; body: Uint8Array }
  | { do: 'close' }

/** Connections that are opened at once. */
const AT_ONCE = 20

const { port } = workerData as { port: number }
const sockets = new Set<Socket>()

function open(bytes: Uint8Array, localAddress: string): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
  socket.resume()
  socket.write(bytes)
}

function withNumber(bytes: Uint8Array, place: string, index: number): Uint8Array {
  const copy = Buffer.from(bytes)
  copy.write(`${index}`.padStart(place.length, '0'), copy.indexOf(place))
  return copy
}

/** The status of a call, or why its connection ended. */
const post = (url: string, token: string, body: Uint8Array) =>
  new Promise<number | string>(resolve => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const call = request(url, { method: 'POST', headers }, answer => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    call.on('error', error => resolve(error.message))
    call.end(body)
  })

/** @returns how each call of a `post` ended */
async function follow(order: AttackOrder): Promise<(number | string)[]> {
  if (order.do === 'post') return Promise.all(order.tokens.map(token => post(order.url, token, order.body)))
  if (order.do === 'close') for (const socket of sockets) socket.destroy()
  else if (order.do === 'write') for (const socket of sockets) socket.write(order.text)
  else
    for (let index = 0; index < order.count; index += 1) {
      const { bytes, number } = order
      const own = number === undefined ? bytes : withNumber(bytes, number, index)
      open(own, `127.0.0.${1 + (index % order.addresses)}`)
      if (index % AT_ONCE === 0) await pause((AT_ONCE * 1000) / order.perSecond)
    }
  return []
}

parentPort?.on('message', (order: AttackOrder) => {
  void follow(order).then(ends => parentPort?.postMessage(ends))
})
