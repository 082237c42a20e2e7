import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import type { FastifyInstance } from 'fastify'

interface ServiceOptions {
  console: ConsoleSettings
  /** Rejects while the server cannot answer calls. */
  checkReady: () => Promise<void>
  /** True while too little of the disk is free for uploads and changes. */
  isDiskFull: () => Promise<boolean>
}

/** Serves the health checks and the console's settings. */
export function serveService(app: FastifyInstance, options: ServiceOptions): void {
  let isClosing = false
  app.addHook('preClose', done => {
    isClosing = true
    done()
  })
  app.get('/health/live', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
  app.get('/health/ready', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isClosing) return reply.code(503).send({ status: 'closing' })
    try {
      await options.checkReady()
      // Still ready: devices are served, and their reports are taken as long as they can be.
      return (await options.isDiskFull()) ? { status: 'ready', disk: 'full' } : { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'database' })
    }
  })
  app.get('/config.json', (_, reply) => reply.header('cache-control', 'no-cache').send(options.console))
}
