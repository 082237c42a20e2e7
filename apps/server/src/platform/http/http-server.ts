import type { OutgoingHttpHeader } from 'node:http'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { DeviceCaller, Session } from '../auth/session.ts'
import { OutcomeError, ProblemError } from '../lib/errors.ts'
import { uuidV7 } from '../lib/uuid-v7.ts'
import type { Log } from '../log/log.ts'
import { makeProxyTest, toProxyTrust, type TrustProxy } from './admit/addresses.ts'
import { BodyBudget, SMALL_BODY_BYTES } from './receive/body-budget.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './receive/connection-counts.ts'
import { boundConnections } from './receive/connections.ts'
import { rememberMethods } from './allowed-methods.ts'
import { parseJson } from './receive/json-body.ts'
import { acceptForms } from './receive/multipart.ts'
import { answerError, sendOutcome, writeProblem } from './answer/problem-answers.ts'
import { RequestLog, type RequestNote, type UnsignedLines } from './answer/request-log.ts'
import { allowOrigins, consoleOriginsOf, securityHeaders, type Origins } from './answer/security-headers.ts'

declare module 'fastify' {
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
  }
}

/** Node's error codes for unreadable requests → status and problem code. */
const REFUSALS: Record<string, [number, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'too-slow'],
  HPE_HEADER_OVERFLOW: [431, 'too-large'],
}

/** Answers data that is no HTTP request, for which no request object exists, and closes the connection. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  writeProblem(socket, ...(REFUSALS[error.code ?? ''] ?? [400, 'malformed']))
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

/** Makes the HTTP server without routes: request ids, headers, errors and one log line for each request. */
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
    clientErrorHandler: answerUnreadable,
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
  app.decorateRequest('session', null)
  app.decorateRequest('device', null)
  // Each request sets it below, before anything reads it.
  app.decorateRequest('note', null as never)
  boundConnections(app, {
    log: options.log,
    limits: { ...CONNECTION_LIMITS, ...options.limits },
    isTrustedProxy: makeProxyTest(options.trustProxy),
  })
  parseJson(app, new BodyBudget(options.bodyBudgetBytes))
  rememberMethods(app)
  await sendSecurityHeaders(app, options.origins)
  await app.register(rateLimit, { global: false })
  await acceptForms(app)
  acceptBytes(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.note = {}
    app.connections.forwardedFor(request.raw, request.ip)
    reply.header('x-request-id', request.id)
    done()
  })
  if (options.trustProxy === false) warnOfUnnamedProxy(app, options.log)
  const allowed = consoleOriginsOf(options.origins)
  if (allowed.size > 0) allowOrigins(app, allowed)
  app.setErrorHandler<Error>((error, request, reply) =>
    error instanceof OutcomeError ? sendOutcome(error, request, reply) : answerError(error, request, reply),
  )
  logRequests(app, requestLog)
  return app
}

/** Sends Helmet's headers. Helmet would compute them for each request: 0.15 ms, a tenth of a device's call. */
async function sendSecurityHeaders(app: FastifyInstance, origins: Origins): Promise<void> {
  await app.register(helmet, { ...securityHeaders(origins), global: false })
  let headers: Record<string, OutgoingHttpHeader | undefined> | null = null
  app.addHook('onRequest', (_, reply, done) => {
    if (headers) reply.headers(headers)
    else {
      void reply.helmet()
      headers = { ...reply.raw.getHeaders() }
    }
    done()
  })
}

/** Warns once where a proxy seems to stand in front and the settings name none: all callers then share one address. */
function warnOfUnnamedProxy(app: FastifyInstance, log: Log): void {
  let isSaid = false
  app.addHook('onRequest', ({ headers, ip }, _, done) => {
    if (!isSaid && (headers['x-forwarded-for'] ?? headers['forwarded']) !== undefined) {
      isSaid = true
      const words =
        'a request was forwarded by a proxy that TRUST_PROXY does not name: all of its callers share the limits of one address'
      log.warn({ address: ip }, words)
    }
    done()
  })
}

/** Leaves binary bodies unread for calls that stream them; refuses them elsewhere. */
function acceptBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/offset+octet-stream', (request, _, done) => {
    if (request.routeOptions.config.takesBytes) done(null)
    else done(new ProblemError(415, 'unsupported-media-type'))
  })
}

function logRequests(app: FastifyInstance, requestLog: RequestLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    requestLog.write(request, reply)
    done()
  })
  app.addHook('onClose', (_, done) => {
    requestLog.sumUp()
    done()
  })
}
