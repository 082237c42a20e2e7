import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** What the attacker is to do next. */
export type AttackOrder =
  | { do: 'open'; count: number; bytes: Uint8Array; addresses: number; perSecond: number }
  | { do: 'write'; text: string }
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

async function follow(order: AttackOrder): Promise<void> {
  if (order.do === 'close') for (const socket of sockets) socket.destroy()
  else if (order.do === 'write') for (const socket of sockets) socket.write(order.text)
  else
    for (let index = 0; index < order.count; index += 1) {
      open(order.bytes, `127.0.0.${1 + (index % order.addresses)}`)
      if (index % AT_ONCE === 0) await pause((AT_ONCE * 1000) / order.perSecond)
    }
}

parentPort?.on('message', (order: AttackOrder) => {
  void follow(order).then(() => parentPort?.postMessage(sockets.size))
})
