import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { chooseLanguage, locales, readAcceptLanguage } from '@floorcast/contract/locales.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, ProblemError } from '../../lib/errors.ts'
import { pathOf } from '../admit/access.ts'
import { sendProblem } from '../answer/problem-answers.ts'

const consoleRoute = new RegExp(
  // The console's router accepts a slash at the end, and upper and lower case.
  `^(?:${consoleRoutes.map(route => route.replaceAll(':uid', '[^/]+')).join('|')})/?$`,
  'i',
)

/** The status of the page at this address; null if the caller is to get a problem. */
function pageStatus({ method, url, headers }: FastifyRequest): 200 | 404 | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const [path, accept] = [pathOf(url), headers.accept ?? '*/*']
  // `//any.host/..` is a file of another host to a browser.
  if (path.startsWith('//')) return null
  const isBrowser = accept.includes('text/html')
  // Monitors, link previews and curl take anything.
  if (consoleRoute.test(path)) return isBrowser || !/\bjson\b/.test(accept) ? 200 : null
  return isBrowser && !path.startsWith('/api/') ? 404 : null
}

/** The methods that an address takes; none for an unknown one. */
function methodsOf({ method, url, server }: FastifyRequest): string[] {
  const path = pathOf(url)
  const methods = server.allowedMethods(path)
  const isPageOnly = methods.length === 0 && method !== 'GET' && method !== 'HEAD' && consoleRoute.test(path)
  return isPageOnly ? ['GET', 'HEAD'] : methods
}

/** Answers 405 with the methods of a known address, else 404. */
function refuseCall(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsOf(request)
  if (methods.length === 0) return sendProblem(request, reply, new ProblemError('no-such-call'))
  return sendProblem(request, reply, methodNotAllowed(methods))
}

/**
 * The addresses of the manual: /manual in the reader's language, /manual/{lang}/ and /manual/{lang}/{page}. A language without a
 * manual leads to English.
 */
function serveManual(
  app: FastifyInstance,
  folder: string,
  sendNotFound: (reply: FastifyReply) => FastifyReply,
): void {
  const pages = new Map(
    locales
      .filter(({ code }) => existsSync(join(folder, code)))
      .map(({ code }) => [code as string, readdirSync(join(folder, code))] as const),
  )
  const has = (code: string, file: string) => pages.get(code)?.includes(file) ?? false
  const chooseManual = (request: FastifyRequest, reply: FastifyReply) => {
    const code = chooseLanguage(readAcceptLanguage(request.headers['accept-language']), [...pages.keys()])
    return reply.header('vary', 'accept-language').redirect(`/manual/${code}/`)
  }
  for (const url of ['/manual', '/manual/']) app.get(url, chooseManual)
  app.get<{ Params: { language: string } }>('/manual/:language', ({ params }, reply) =>
    pages.has(params.language) ? reply.redirect(`/manual/${params.language}/`) : reply.redirect('/manual/'),
  )
  app.get<{ Params: { language: string; page: string } }>('/manual/:language/:page', (request, reply) => {
    const { language, page } = request.params
    const file = page === '' ? 'index.html' : `${page}.html`
    if (has(language, file)) return reply.sendFile(`manual/${language}/${file}`)
    if (language !== 'en' && has('en', file)) return reply.redirect(`/manual/en/${page}`)
    return sendNotFound(reply)
  })
}

/**
 * Serves the built console. Files under /assets are named by their content and never change; a browser fetches the page
 * each time. A browser gets the page at an unknown address, too, with status 404, and the console shows 'not found'.
 */
export async function serveConsole(app: FastifyInstance, folder: string | null): Promise<void> {
  if (!folder || !existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(refuseCall)
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
  serveManual(app, join(folder, 'manual'), reply => sendPage(reply.code(404)))
  app.get('/', (_, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) => {
    const status = pageStatus(request)
    // A browser that asks for an address of a call by a wrong method is told so.
    if (status === null || (status === 404 && request.server.allowedMethods(pathOf(request.url)).length > 0))
      return refuseCall(request, reply)
    return sendPage(reply.code(status))
  })
}
