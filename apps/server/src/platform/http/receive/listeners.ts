import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'

/*
 * Node takes one connection from a listening socket in each turn of its event loop (libuv 1.52). A turn of a busy server takes
 * 5 to 20 ms, so that it would take 50 to 200 connections a second: after a restart, 10,000 devices and the console would wait
 * for half a minute, and the kernel drops what does not fit in the queue of 4,096. So the server listens on its port with
 * several sockets, among which the kernel spreads the connections (SO_REUSEPORT): docs/decisions/0246.
 */

/** Connections that the kernel holds for each socket. Linux allows 4096 by default. */
const BACKLOG = 32_768
/** Connections taken in a turn at the most. */
const SOCKETS = 32

/** Node can share a port among sockets on Linux. Elsewhere the server listens with one. */
const canSharePort = process.platform === 'linux'

export interface Listening {
  port: number
  /** Takes no more connections by the further sockets. The server itself closes the first. */
  stop: () => void
}

interface Address {
  host: string
  port: number
}

/** Listens at an address. Port 0 is any free port. @throws Error if another program, or another Floorcast, listens there */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<Listening> {
  const shared = { host, backlog: BACKLOG, ...(canSharePort ? { reusePort: true } : {}) }
  if (port !== 0 && canSharePort) await requireFreePort({ host, port })
  // Fastify passes on what Node knows and its own type does not.
  const first: FastifyListenOptions = { ...shared, port }
  await app.listen(first)
  const at = app.addresses().filter(address => typeof address === 'object')
  const servers: Server[] = []
  if (canSharePort)
    for (const { address, port: taken } of at)
      for (let count = 1; count < SOCKETS; count += 1)
        servers.push(await passOn(app, { ...shared, host: address, port: taken }))
  return {
    port: at[0]?.port ?? 0,
    stop: () => {
      for (const server of servers) server.close()
    },
  }
}

/**
 * Looks whether the server could listen there. A socket that shares its port lets others in: a second Floorcast would take half of the
 * connections. @throws Error that names the setting, with Node's error as its cause
 */
export async function requireFreePort({ host, port }: Address): Promise<void> {
  const probe = createServer()
  try {
    await startListening(probe, { host, port })
  } catch (error) {
    throw new Error(explainListening(error, { host, port }), { cause: error })
  }
  probe.close()
  await once(probe, 'close')
}

function explainListening(error: unknown, { host, port }: Address): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE')
    return `PORT ${port} of ${host} is in use by another program, or by another Floorcast. End it, or set another PORT`
  if (code === 'EACCES')
    return `PORT ${port} is for programs of root. Set a PORT from 1024 on, and let a proxy take ${port}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST ${host} is no address of this machine. Set 127.0.0.1, or 0.0.0.0 for all of them`
  return `The server cannot listen at HOST ${host}, PORT ${port} (${code})`
}

/** A further socket, whose connections are the server's own. */
async function passOn(app: FastifyInstance, at: ListenOptions): Promise<Server> {
  // The options of Node's HTTP server.
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  server.on('connection', socket => app.server.emit('connection', socket))
  await startListening(server, at)
  return server
}

async function startListening(server: Server, at: ListenOptions): Promise<void> {
  const listening = once(server, 'listening')
  server.listen(at)
  await listening
}
