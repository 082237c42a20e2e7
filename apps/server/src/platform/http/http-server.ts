import { type OutgoingHttpHeader, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { Problem } from '@floorcast/contract/problem.ts'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { DeviceCaller, Session } from '../auth/session.ts'
import { OutcomeError, ProblemError } from '../lib/errors.ts'
import { uuidV7 } from '../lib/uuid-v7.ts'
import type { Log } from '../log/log.ts'
import { pathOf } from './access.ts'
import { sendOutcome } from './http.ts'
import { parseJson } from './json-body.ts'
import { acceptForms } from './multipart.ts'
import { answerError } from './problem-answers.ts'
import { allowConsoleOrigin, securityHeaders, type Origins } from './security-headers.ts'

/** Fields of a request's log line beside path, status and time. */
interface RequestNote {
  outcome?: string | number
  userUid?: string
  clientId?: string
  deviceUid?: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call reads its body as a stream. */
    takesBytes?: boolean
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
  const [status, code] = REFUSALS[error.code ?? ''] ?? [400, 'malformed']
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: 'about:blank', title, status, code } satisfies Problem)
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

interface HttpServerOptions {
  log: Log
  trustProxy: boolean | string
  origins: Origins
  /** Idle time after which a connection is closed; 5 minutes by default. */
  idleTimeoutMs?: number
}

const MEBIBYTE = 1024 * 1024
/** Longer than probing and flushing the largest upload takes. */
const IDLE_TIMEOUT_MS = 5 * 60_000

/** Makes the HTTP server without routes: request ids, headers, errors and one log line for each request. */
export async function makeHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = options.log
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => uuidV7(),
    trustProxy: options.trustProxy,
    bodyLimit: MEBIBYTE,
    // HEAD would run the GETs that write.
    exposeHeadRoutes: false,
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
      logRequest(request, reply)
    },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
  })
  app.decorateRequest('session', null)
  app.decorateRequest('device', null)
  // Each request sets it below, before anything reads it.
  app.decorateRequest('note', null as never)
  parseJson(app)
  await sendSecurityHeaders(app, options.origins)
  await app.register(rateLimit, { global: false })
  await acceptForms(app)
  acceptBytes(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.note = {}
    reply.header('x-request-id', request.id)
    done()
  })
  allowOtherOrigins(app, options.origins)
  app.setErrorHandler<Error>((error, request, reply) =>
    error instanceof OutcomeError ? sendOutcome(error, request, reply) : answerError(error, request, reply),
  )
  logRequests(app)
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

/** Lets the console call the device host and the logs where they have another origin. */
function allowOtherOrigins(app: FastifyInstance, { publicUrl, streamUrl, logsUrl }: Origins): void {
  const consoleOrigin = new URL(publicUrl).origin
  if ([streamUrl, logsUrl].some(url => new URL(url).origin !== consoleOrigin))
    allowConsoleOrigin(app, consoleOrigin)
}

/** Leaves binary bodies unread for calls that stream them; refuses them elsewhere. */
function acceptBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/offset+octet-stream', (request, _, done) => {
    if (request.routeOptions.config.takesBytes) done(null)
    else done(new ProblemError(415, 'unsupported-media-type'))
  })
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    method: request.method,
    // The query may hold a ticket.
    path: pathOf(request.url),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
    ...request.note,
  }
  const isBusy = request.note.outcome === 'busy'
  request.log[reply.statusCode >= 500 && !isBusy ? 'error' : 'info'](line, 'request')
}
