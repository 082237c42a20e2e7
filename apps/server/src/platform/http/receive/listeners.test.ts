import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { listen, type Listening } from './listeners.ts'

const HOST = '127.0.0.1'
const open: { app: FastifyInstance; listening: Listening }[] = []

async function startServer(port = 0): Promise<{ app: FastifyInstance; listening: Listening }> {
  const app = Fastify()
  app.get('/', () => 'here')
  const started = { app, listening: await listen(app, { host: HOST, port }) }
  open.push(started)
  return started
}

afterEach(async () => {
  for (const { app, listening } of open.splice(0)) {
    listening.stop()
    await app.close()
  }
})

it('takes many connections in a turn of the event loop, so that a busy server does not keep callers waiting', async () => {
  const { app, listening } = await startServer()
  let taken = 0
  app.server.on('connection', () => void (taken += 1))
  const CALLERS = 400
  const callers: Socket[] = []
  for (let count = 0; count < CALLERS; count += 1)
    callers.push(connect({ host: HOST, port: listening.port }).on('error', () => undefined))
  let turns = 0
  for (; taken < CALLERS; turns += 1) await nextTurn()
  for (const caller of callers) caller.destroy()
  // One socket takes one connection in a turn.
  expect(turns).toBeLessThan(CALLERS / 4)
})

it('answers on every connection, whichever socket took it', async () => {
  const { listening } = await startServer()
  const ask = async () => {
    const answer = await fetch(`http://${HOST}:${listening.port}/`, { headers: { connection: 'close' } })
    return answer.text()
  }
  const answers = await Promise.all(Array.from({ length: 100 }, ask))
  expect(new Set(answers)).toEqual(new Set(['here']))
})

it('refuses a port at which another server listens', async () => {
  const { listening } = await startServer()
  const second = Fastify()
  await expect(listen(second, { host: HOST, port: listening.port })).rejects.toMatchObject({
    message: expect.stringContaining(`PORT ${listening.port} of ${HOST} is in use`) as string,
    cause: { code: 'EADDRINUSE' },
  })
  await second.close()
})

it('takes no connection once it has stopped', async () => {
  const { app, listening } = await startServer()
  listening.stop()
  await app.close()
  const caller = connect({ host: HOST, port: listening.port })
  const [error] = (await once(caller, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
})
