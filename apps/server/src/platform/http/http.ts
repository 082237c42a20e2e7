import { type Endpoint, isOfAlert } from '@floorcast/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Authenticator, OperatorAuthenticator } from '../auth/authenticator.ts'
import type { Session } from '../auth/session.ts'
import type { ClientScope } from '../database/client-scope.ts'
import { addressOf, admitDevice, admitOperator, admitUser, bearerToken, clientOf } from './admit/access.ts'
import type { Admission } from './admit/admission.ts'
import { type HeavyCalls, openSlots } from './admit/heavy-calls.ts'
import type { ChangeGate } from './admit/rate-limits.ts'
import { answerOnce, type OnceParts } from './answer/idempotency.ts'
import { type Answer, answer } from './answer/json-answers.ts'
import {
  asDevice,
  asOperator,
  type DeviceCall,
  type OperatorCall,
  type PublicCall,
  type UserCall,
} from './calls.ts'
import { announcedBytes, parseInput } from './receive/input.ts'
import { type SentJson, takeBytes } from './receive/large-body.ts'
import { openShutdown, type Shutdown } from './shutdown.ts'

/** A body of unknown length counts as one of this length. */
const UNKNOWN_BODY_BYTES = 262_144

/** The largest JSON body of callers who are authenticated. Others have the server's default, 16 KiB. */
const MAX_BODY_BYTES = 1024 * 1024

interface RouteOptions {
  /** The largest JSON body in bytes; 1 MiB by default, 16 KiB for calls that anyone may make. */
  bodyLimit?: number
}

interface JsonReader<Body> {
  /** Parses the bytes, off the main thread if they are many. @throws ProblemError */
  read: (sent: SentJson) => Promise<Body>
  /** In bytes. */
  bodyLimit: number
}

/** How a call finds its caller and reaches the database. */
interface CallerParts {
  authenticator: Authenticator
  openScope: (session: Session) => ClientScope
}

interface HttpParts extends CallerParts {
  app: FastifyInstance
  admission: Admission
  now: () => Date
  /** Nobody is an operator unless told. */
  operators?: OperatorAuthenticator
  /** Uses connections that only alerts use. */
  alerts: CallerParts
  /** Keys of calls are not looked at unless told. */
  once?: OnceParts
  /** Unlimited unless told. */
  changes?: ChangeGate
  heavyCalls?: HeavyCalls
  /** Is told of each answer to a call as it begins to be sent. */
  onAnswer?: (endpoint: Endpoint, reply: FastifyReply) => void
}

type Run<E extends Endpoint> = (call: PublicCall<E>) => Promise<unknown>

/**
 * Registers the contract's endpoints on the server, each with the stages of README.md. `forX` wraps the answer in `data`,
 * `streamToX` sends bytes or lines.
 */
export class Http {
  readonly app: FastifyInstance
  readonly admission: Admission
  readonly shutdown: Shutdown
  readonly #parts: HttpParts
  readonly #slots: ReturnType<typeof openSlots>
  readonly #implemented = new Set<Endpoint>()
  /** Called when the answer to a request begins to be sent. */
  readonly #onSend = new WeakMap<FastifyRequest, () => void>()

  constructor(parts: HttpParts) {
    this.app = parts.app
    this.admission = parts.admission
    this.#parts = parts
    this.#slots = openSlots(parts.heavyCalls)
    this.shutdown = openShutdown(parts.app)
  }

  /** The endpoints registered so far. */
  get implemented(): ReadonlySet<Endpoint> {
    return this.#implemented
  }

  /** An endpoint that anyone may call. */
  forAll<E extends Endpoint>(endpoint: E, handler: (call: PublicCall<E>) => Answer<E>): void {
    this.#register(endpoint, 'public', { run: call => answer(endpoint, call, handler(call)) })
  }

  /** An endpoint for signed-in users, as its `access` says. */
  forUsers<E extends Endpoint>(
    endpoint: E,
    handler: (call: UserCall<E>) => Answer<E>,
    options: RouteOptions = {},
  ): void {
    this.#register(endpoint, 'user', {
      run: call =>
        answerOnce(endpoint, { call: this.#asUser(endpoint, call), parts: this.#parts.once }, user =>
          answer(endpoint, user, handler(user)),
        ),
      options,
    })
  }

  /** A change by users whose rule does what was asked or throws: the answer is 200 with what the rule returns. */
  done<E extends Endpoint>(
    endpoint: E,
    rule: (call: UserCall<E>) => Promise<Omit<z.input<E['answer']>, 'code'> | void>,
    options: RouteOptions = {},
  ): void {
    this.forUsers(
      endpoint,
      async call => ({ code: 200, ...(await rule(call)) }) as z.input<E['answer']>,
      options,
    )
  }

  /** A users' endpoint with a large JSON body, which `read` parses. */
  forLargeBodies<E extends Endpoint, Body>(
    endpoint: E,
    { read, bodyLimit }: JsonReader<Body>,
    handler: (call: Omit<UserCall<E>, 'body'> & { body: Body }) => Answer<E>,
  ): void {
    const run = async (call: PublicCall<E>) => {
      const sent = takeBytes(call.request)
      const asked = { call: this.#asUser(endpoint, call), sent, parts: this.#parts.once }
      return answerOnce(endpoint, asked, async user => {
        const body = await read({ bytes: sent, clientId: user.session.clientId, signal: call.signal })
        return answer(endpoint, call, handler({ ...user, body: body as Body & typeof user.body }))
      })
    }
    this.#register(endpoint, 'user', { run, options: { bodyLimit }, takesJsonBytes: true })
  }

  /** An endpoint for devices with a token. */
  forDevices<E extends Endpoint>(
    endpoint: E,
    handler: (call: DeviceCall<E>) => Answer<E>,
    options: RouteOptions = {},
  ): void {
    this.#register(endpoint, 'device', {
      run: call => answer(endpoint, call, handler(asDevice(call))),
      options,
    })
  }

  /** An endpoint for operators. */
  forOperators<E extends Endpoint>(endpoint: E, handler: (call: OperatorCall<E>) => Answer<E>): void {
    this.#register(endpoint, 'operator', {
      run: call => answer(endpoint, call, handler(asOperator(call))),
    })
  }

  /** A user's endpoint whose handler sends the answer itself: bytes or lines. */
  streamToUsers<E extends Endpoint>(endpoint: E, handler: (call: UserCall<E>) => Promise<unknown>): void {
    this.#register(endpoint, 'user', { run: call => handler(this.#asUser(endpoint, call)) })
  }

  /** A device's endpoint whose handler sends the answer itself. */
  streamToDevices<E extends Endpoint>(endpoint: E, handler: (call: DeviceCall<E>) => Promise<unknown>): void {
    this.#register(endpoint, 'device', { run: call => handler(asDevice(call)) })
  }

  #asUser<E extends Endpoint>(endpoint: E, call: PublicCall<E>): UserCall<E> {
    const { session } = call.request
    if (!session) throw new Error('a user endpoint ran without a session')
    return { ...call, session, scope: this.#callerParts(endpoint).openScope(session) }
  }

  #register<E extends Endpoint>(
    endpoint: E,
    by: E['access']['by'],
    route: { run: Run<E>; options?: RouteOptions; takesJsonBytes?: boolean },
  ): void {
    if (endpoint.access.by !== by) throw new Error(`${endpoint.path} is for ${endpoint.access.by}, not ${by}`)
    this.#implemented.add(endpoint)
    this.app.route({
      // These answer HEAD themselves: a file is not opened, and a stream does not begin.
      method: ['bytes', 'lines'].includes(endpoint.answerForm) ? [endpoint.method, 'HEAD'] : endpoint.method,
      exposeHeadRoute: !writes(endpoint),
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(by === 'public' ? {} : { bodyLimit: MAX_BODY_BYTES }),
      ...route.options,
      config: {
        takesBytes: endpoint.bodyForm === 'bytes',
        takesJsonBytes: route.takesJsonBytes ?? false,
        formParts: Object.keys(endpoint.form.shape),
      },
      // Between these two Fastify reads the body, by the parser of its type (http-server.ts).
      onRequest: (request, reply) => this.#admit(endpoint, request, reply),
      handler: (request, reply) => this.#answer(endpoint, route.run, { request, reply }),
      onSend: async (request, reply, payload) => {
        this.#parts.onAnswer?.(endpoint, reply)
        this.#onSend.get(request)?.()
        // A slow reader of an export keeps no slot.
        this.#slotsOf(endpoint)?.leave(request)
        return payload
      },
    })
  }

  /** Finds the caller. Refuses it before its body is read if it may not call, calls too often, or the queue is full. */
  async #admit(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { access, priority, bodyForm } = endpoint
    const { connections } = this.app
    if (bodyForm === 'bytes' || bodyForm === 'multipart') connections.expectStream(request.raw)
    const { authenticator } = this.#callerParts(endpoint)
    const token = bearerToken(request.headers.authorization)
    await this.admission.identify(priority, token, async () => {
      if (access.by === 'user') await admitUser(request, access, { authenticator, now: this.#parts.now() })
      if (access.by === 'device') await admitDevice(request, authenticator)
      if (access.by === 'operator') await admitOperator(request, this.#parts.operators)
    })
    const caller = request.session?.userUid ?? request.device?.deviceUid ?? request.operator?.uid
    if (caller !== undefined) connections.identify(request.raw.socket, caller)
    this.admission.checkRoom(priority, clientOf(request))
    await this.#parts.changes?.check(endpoint, request, reply)
    await this.#slotsOf(endpoint)?.enter(request, reply)
  }

  /**
   * Answers a call when it has a place. The place is free when the answer begins to be sent: a console's stream of changes lasts
   * for hours. A device's file keeps its place to its last byte, because the places bound the transfers.
   */
  async #answer<E extends Endpoint>(
    endpoint: E,
    run: Run<E>,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<unknown> {
    const bodyBytes = announcedBytes(request) ?? UNKNOWN_BODY_BYTES
    const caller = { clientId: clientOf(request), bodyBytes, onWait: untilClosed(reply) }
    let answered: Promise<unknown> = Promise.resolve()
    const slots = this.#slotsOf(endpoint)
    const turn = slots?.begin(request)
    try {
      await this.admission.run(endpoint.priority, caller, () => {
        const { promise: sending, resolve } = Promise.withResolvers<void>()
        if (endpoint.priority !== 'media') this.#onSend.set(request, resolve)
        answered = this.#run(endpoint, run, { request, reply, turn })
        return Promise.race([answered, sending])
      })
      return await answered
    } finally {
      slots?.leave(request)
    }
  }

  async #run<E extends Endpoint>(
    endpoint: E,
    run: Run<E>,
    { request, reply, turn }: Pick<PublicCall<E>, 'request' | 'reply' | 'turn'>,
  ): Promise<unknown> {
    reply.header('cache-control', 'no-store')
    if (request.method === 'HEAD' && endpoint.answerForm === 'lines')
      return reply.type('application/x-ndjson; charset=utf-8').send()
    const call = {
      ...parseInput(endpoint, request),
      now: this.#parts.now(),
      requestId: request.id,
      address: addressOf(request),
      userAgent: request.headers['user-agent'] ?? null,
      acceptLanguage: request.headers['accept-language'],
      request,
      reply,
      turn,
      signal: turn?.signal,
    }
    return run(call)
  }

  #slotsOf({ isHeavy, slots }: Endpoint): HeavyCalls | null {
    return isHeavy ? this.#slots[slots] : null
  }

  #callerParts({ priority }: Endpoint): CallerParts {
    return isOfAlert(priority) ? this.#parts.alerts : this.#parts
  }
}

/** Whether a call changes something. Of those, HEAD must not run the ones that are GETs. */
const writes = ({ access }: Endpoint) => access.by === 'user' && access.changes

/** Calls `leave` when the caller hangs up. */
const untilClosed = (reply: FastifyReply) => (leave: () => void) => void reply.raw.once('close', leave)
