import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../log/log.ts'
import { callerAddress, pathOf } from '../admit/access.ts'

/** Fields of a request's log line beside path, status and time. */
export interface RequestNote {
  outcome?: string | number
  /** The cause of an outcome such as `database-away`. */
  reason?: string
  userUid?: string
  clientId?: string
  deviceUid?: string
  operatorUid?: string
}

/** Longer paths than those of the contract are the caller's invention. */
const MAX_PATH_LENGTH = 200
const WINDOW_MS = 60_000
/** Addresses that are counted one by one; with more, as in an attack from many, the rest are one. */
const MAX_ADDRESSES = 1000
/** Summed lines in a minute. */
const MAX_SUMS = 20

/** Lines in a minute for requests of callers who are not signed in. The others are summed up. */
export interface UnsignedLines {
  ofAddress: number
  inAll: number
}

const UNSIGNED_LINES: UnsignedLines = { ofAddress: 300, inAll: 1000 }

interface Sum {
  logged: number
  /** Requests without a line, by status. */
  omitted: Record<number, number>
}

/** A monitor that asks each second would fill the log. */
const HEALTH = /^\/health\//

function levelOf({ path, status, outcome }: { path: string; status: number } & RequestNote) {
  if (HEALTH.test(path)) return 'debug'
  return status >= 500 && outcome !== 'busy' && outcome !== 'read-only' ? 'error' : 'info'
}

const cut = (path: string) => (path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path)

/** Writes a line for each request. A stranger cannot fill the disk: callers who are not signed in have some lines in a minute. */
export class RequestLog {
  readonly #log: Log
  readonly #lines: UnsignedLines
  #sums = new Map<string, Sum>()
  #logged = 0
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log, lines = UNSIGNED_LINES) {
    this.#log = log
    this.#lines = lines
  }

  write(request: FastifyRequest, reply: FastifyReply): void {
    const { note } = request
    const isSigned = (note.userUid ?? note.deviceUid ?? note.operatorUid) !== undefined
    if (!isSigned && !this.#hasLine(callerAddress(request), reply.statusCode)) return
    const line = {
      method: request.method,
      // The query may hold a ticket.
      path: cut(pathOf(request.url)),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      ...note,
    }
    request.log[levelOf(line)](line, 'request')
  }

  /** Writes how many requests of each address had no line of their own. */
  sumUp(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    const sums = [...this.#sums]
      .map(([address, { omitted }]) => ({ address, omitted, requests: countOf(omitted) }))
      .filter(({ requests }) => requests > 0)
      .toSorted((one, other) => other.requests - one.requests)
    for (const sum of sums.slice(0, MAX_SUMS)) this.#log.warn(sum, 'requests without a line in the log')
    const rest = sums.slice(MAX_SUMS)
    if (rest.length > 0) {
      const requests = rest.reduce((total, sum) => total + sum.requests, 0)
      this.#log.warn({ addresses: rest.length, requests }, 'requests without a line in the log')
    }
    this.#sums = new Map()
    this.#logged = 0
  }

  #hasLine(caller: string, status: number): boolean {
    this.#timer ??= setTimeout(() => this.sumUp(), WINDOW_MS).unref()
    const address = this.#sums.has(caller) || this.#sums.size < MAX_ADDRESSES ? caller : 'others'
    const sum = this.#sums.get(address) ?? { logged: 0, omitted: {} }
    this.#sums.set(address, sum)
    if (sum.logged < this.#lines.ofAddress && this.#logged < this.#lines.inAll) {
      sum.logged += 1
      this.#logged += 1
      return true
    }
    sum.omitted[status] = (sum.omitted[status] ?? 0) + 1
    return false
  }
}

const countOf = (omitted: Record<number, number>) =>
  Object.values(omitted).reduce((sum, requests) => sum + requests, 0)

/** Writes the lines of a server's requests. */
export function logRequests(app: FastifyInstance, requestLog: RequestLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    requestLog.write(request, reply)
    done()
  })
  app.addHook('onClose', (_, done) => {
    requestLog.sumUp()
    done()
  })
}

/** Warns once where a proxy seems to stand in front and the settings name none: all callers then share one address. */
export function warnOfUnnamedProxy(app: FastifyInstance, log: Log): void {
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
