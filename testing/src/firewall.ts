import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy to a database that can drop its connections silently, like a firewall, or a machine that lost power. It ends with the test. */
export async function openFirewall(url: string) {
  const { hostname, port } = new URL(url)
  const known = new Set<Socket>()
  const all: Socket[] = []
  const firewall = createServer(near => {
    const far = connect(Number(port), hostname)
    all.push(near, far)
    for (const socket of [near, far]) known.add(socket.on('error', () => undefined))
    near.pipe(far).pipe(near)
  })
  firewall.listen(0, '127.0.0.1')
  await once(firewall, 'listening')
  const { port: own } = firewall.address() as AddressInfo
  onTestFinished(() => {
    firewall.close()
    for (const socket of all) socket.destroy()
  })
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    /** @returns how many sockets fell silent, two for each connection */
    forget() {
      for (const socket of known) socket.unpipe().removeAllListeners('end').pause()
      const count = known.size
      known.clear()
      return count
    },
  }
}
