import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A proxy to a database that can drop its connections silently, like a firewall, or a machine that lost power; while `isShut` it ends each new
 * one, like a proxy that knows no primary. It ends with the test.
 */
export async function openFirewall(url: string, { isShut = false, port: ownPort = 0 } = {}) {
  const { hostname, port } = new URL(url)
  const known = new Set<Socket>()
  const all: Socket[] = []
  const state = { isShut, refused: 0 }
  const firewall = createServer(near => {
    if (state.isShut) {
      state.refused += 1
      return void near.destroy()
    }
    const far = connect(Number(port), hostname)
    all.push(near, far)
    for (const socket of [near, far]) known.add(socket.on('error', () => undefined))
    near.pipe(far).pipe(near)
  })
  firewall.listen(ownPort, '127.0.0.1')
  await once(firewall, 'listening')
  const { port: own } = firewall.address() as AddressInfo
  onTestFinished(() => {
    firewall.close()
    for (const socket of all) socket.destroy()
  })
  return Object.assign(state, {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    /** @returns how many sockets fell silent, two for each connection */
    forget() {
      for (const socket of known) socket.unpipe().removeAllListeners('end').pause()
      const count = known.size
      known.clear()
      return count
    },
  })
}
