import type { Socket } from 'node:net'
import type { ProblemCode } from '@floorcast/contract/problem-codes.ts'
import rateLimit from '@fastify/rate-limit'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { DeviceCaller, Session } from '../auth/session.ts'
import type { OperatorSession } from '../database/operator-queries.ts'
import { ProblemError } from '../lib/errors.ts'
import { uuidV7 } from '../lib/uuid-v7.ts'
import type { Log } from '../log/log.ts'
import { makeProxyTest, toProxyTrust, type TrustProxy } from './admit/access.ts'
import { answerError } from './answer/problem-answers.ts'
import {
  logRequests,
  RequestLog,
  type RequestNote,
  type UnsignedLines,
  warnOfUnnamedProxy,
} from './answer/request-log.ts'
import { sendSecurityHeaders, type Origins } from './answer/security-headers.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, writeProblem } from './receive/connection-limits.ts'
import { boundConnections } from './receive/connections.ts'
import { acceptJson, SMALL_BODY_BYTES } from './receive/json-body.ts'
import { acceptBytes, acceptForms } from './receive/multipart.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an address takes; none if no route has it. */
    allowedMethods: (path: string) => string[]
    /** Those of a route without parameters at this very address: a route with parameters fits it too. */
    methodsAt: (path: string) => string[]
  }
  interface FastifyContextConfig {
    /** The call reads its body as a stream. */
    takesBytes?: boolean
    /** The call gets the bytes of its JSON and parses them itself. */
    takesJsonBytes?: boolean
    /** The names of the parts of its form. */
    formParts?: readonly string[]
  }
  interface FastifyRequest {
    note: RequestNote
    session: Session | null
    device: DeviceCaller | null
    operator: OperatorSession | null
  }
}

/** Node's error codes for unreadable requests. */
const REFUSALS: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
  HPE_HEADER_OVERFLOW: 'head-too-large',
}

/** Answers data that is not an HTTP request, for which no request object exists, and closes the connection. */
const answerUnreadable = (log: Log) => (error: Error & { code?: string }, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const id = uuidV7()
  const problem = new ProblemError(REFUSALS[error.code ?? ''] ?? 'malformed')
  const { status, code } = problem
  log.debug({ requestId: id, status, outcome: code, address: socket.remoteAddress }, 'unreadable request')
  writeProblem(socket, problem, id)
  // A caller that keeps its half open would keep the connection.
  socket.destroySoon()
}

interface HttpServerOptions {
  log: Log
  trustProxy: TrustProxy
  origins: Origins
  /** Other bounds of connections and senders than the usual. */
  limits?: Partial<ConnectionLimits>
  /** Bytes of large bodies in memory; a sixteenth of the heap by default. */
  bodyBudgetBytes?: number
  unsignedLines?: UnsignedLines
  /** Idle time after which a connection is closed; 5 minutes by default. */
  idleTimeoutMs?: number
}

/** Longer than probing and flushing the largest upload takes. */
const IDLE_TIMEOUT_MS = 5 * 60_000
/** Time for the head of a request, from its first byte, or of the first one from the beginning of the connection. */
const HEAD_TIMEOUT_MS = 20_000
const HEAD_CHECK_MS = 5000

/**
 * Makes the HTTP server without routes: request ids, headers, errors and one log line for each request. README.md describes the
 * stages of a call.
 */
export async function makeHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = options.log
  const requestLog = new RequestLog(options.log, options.unsignedLines)
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => uuidV7(),
    trustProxy: toProxyTrust(options.trustProxy),
    bodyLimit: SMALL_BODY_BYTES,
    http: { headersTimeout: HEAD_TIMEOUT_MS, connectionsCheckingInterval: HEAD_CHECK_MS },
    // HEAD is wherever GET is. The contract's GETs that write say no.
    exposeHeadRoutes: true,
    // The server closes an idle connection, such as half a request or an upload whose sender is gone. The change feed sends a
    // line every 20 s, and channels are pinged.
    connectionTimeout: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    clientErrorHandler: answerUnreadable(options.log),
    keepAliveTimeout: 65_000,
    // Hooks do not run for an unreadable address.
    frameworkErrors: (error, request, reply) => {
      request.note = {}
      reply.header('x-request-id', request.id)
      void answerError(error, request, reply)
      requestLog.write(request, reply)
    },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
  })
  await receiveRequests(app, options)
  await answerRequests(app, options)
  logRequests(app, requestLog)
  return app
}

/** Counts connections, begins each request and reads its body. */
async function receiveRequests(app: FastifyInstance, options: HttpServerOptions): Promise<void> {
  const { log, limits, trustProxy, bodyBudgetBytes } = options
  app.decorateRequest('session', null)
  app.decorateRequest('device', null)
  app.decorateRequest('operator', null)
  // Each request sets it below, before anything reads it.
  app.decorateRequest('note', null as never)
  boundConnections(app, {
    log,
    limits: { ...CONNECTION_LIMITS, ...limits },
    isTrustedProxy: makeProxyTest(trustProxy),
  })
  app.addHook('onRequest', (request, reply, done) => {
    request.note = {}
    app.connections.forwardedFor(request.raw, request.ip)
    // Also for answers without Fastify: to a sender that is too slow, or by a library.
    reply.raw.setHeader('x-request-id', request.id)
    done()
  })
  if (trustProxy === false) warnOfUnnamedProxy(app, log)
  acceptJson(app, bodyBudgetBytes)
  await acceptForms(app)
  acceptBytes(app)
}

/** Answers what needs no call: preflights, headers of every answer, errors. Calls admit their callers themselves (http.ts). */
async function answerRequests(app: FastifyInstance, { origins }: HttpServerOptions): Promise<void> {
  await app.register(rateLimit, { global: false })
  rememberMethods(app)
  await sendSecurityHeaders(app, origins)
  app.setErrorHandler(answerError)
}

interface Pattern {
  fits: RegExp
  methods: Set<string>
}

/** `/device/:uid` fits one segment for a parameter, `/docs/*` everything below. */
function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map(part => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)))
    .join('/')
  return new RegExp(`^${source.replaceAll('*', '.*')}$`)
}

/** Remembers the routes that are registered from now on: Fastify's router finds none for a wrong method. */
function rememberMethods(app: FastifyInstance): void {
  const patterns = new Map<string, Pattern>()
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = patterns.get(url) ?? { fits: toPattern(url), methods: new Set() }
    patterns.set(url, pattern)
    for (const name of [method].flat()) pattern.methods.add(name)
  })
  app.decorate('methodsAt', path => [...(patterns.get(path)?.methods ?? [])].toSorted())
  app.decorate('allowedMethods', path => {
    const fitting = [...patterns.values()].filter(({ fits }) => fits.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].toSorted()
  })
}
