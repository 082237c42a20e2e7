import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from './openapi.ts'

interface ServiceOptions {
  console: ConsoleSettings
  /** Rejects while the server cannot answer calls. */
  checkReady: () => Promise<void>
}

/** Load balancers and monitors send HEAD. Calls do not accept it, because some GETs write. */
export const headToo = { exposeHeadRoute: true }

/** Serves the health checks, the console's settings and the description of the API. */
export async function serveService(app: FastifyInstance, options: ServiceOptions): Promise<void> {
  let isClosing = false
  app.addHook('preClose', done => {
    isClosing = true
    done()
  })
  app.get('/health/live', headToo, (_, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  )
  app.get('/health/ready', headToo, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isClosing) return reply.code(503).send({ status: 'closing' })
    try {
      await options.checkReady()
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'database' })
    }
  })
  app.get('/config.json', headToo, (_, reply) =>
    reply.header('cache-control', 'no-cache').send(options.console),
  )
  await describeApi(app, options.console.version)
}

async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  const document = openApiOf(endpoints, version)
  const text = JSON.stringify(document)
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(text))
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'none', filter: true, layout: 'BaseLayout' },
  })
}
