import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../lib/errors.ts'
import { pathOf } from './access.ts'
import { sendProblem } from './problem-answers.ts'
import { headToo } from './service-routes.ts'

const consoleRoute = new RegExp(
  // The console's router accepts a slash at the end, and upper and lower case.
  `^(?:${consoleRoutes.map(route => route.replaceAll(':uid', '[^/]+')).join('|')})/?$`,
  'i',
)
const wantsPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !pathOf(request.url).startsWith('/api/') &&
  (request.headers.accept ?? '').includes('text/html')

const noSuchCall = (request: FastifyRequest, reply: FastifyReply) =>
  sendProblem(request, reply, new ProblemError(404, 'no-such-call'))

/**
 * Serves the built console. Files under /assets are named by their content and never change; a browser fetches the page
 * each time. An unknown address gets the page with status 404, and the console shows 'not found'.
 */
export async function serveConsole(app: FastifyInstance, folder: string | null): Promise<void> {
  if (!folder || !existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(noSuchCall)
    return
  }
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isNamedByContent = path.startsWith(join(folder, 'assets'))
      reply.header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const sendPage = (reply: FastifyReply) => reply.sendFile('index.html')
  app.get('/', headToo, (_, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) => {
    if (!wantsPage(request)) return noSuchCall(request, reply)
    return sendPage(reply.code(consoleRoute.test(pathOf(request.url)) ? 200 : 404))
  })
}
