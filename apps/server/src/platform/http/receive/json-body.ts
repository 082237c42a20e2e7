import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { freeBytes } from '../../lib/free-bytes.ts'
import { clientOf } from '../admit/access.ts'
import { hasBody } from './connection-limits.ts'
import { announcedBytes, malformed, parseJsonText } from './input.ts'

/** Bodies up to this length are not counted: the bounds of connections and queues bound them. */
export const SMALL_BODY_BYTES = 16_384

/** A sixteenth of the heap: parsed, a body takes some times its bytes. */
const budgetOfHeap = () => Math.floor(getHeapStatistics().heap_size_limit / 16)

/** For one user or device at a time. A browser has six calls, and the console sends one large body; a device sends one. */
const MAX_LARGE_OF_CALLER = 8

/** A body in memory, from its first byte to the end of its call. */
interface HeldBody {
  client: string
  bytes: number
  isComplete: boolean
  /** No more of the body comes. */
  endReceiving: () => void
  /** Ends the call and frees the bytes. */
  abort: (reason: ProblemError) => void
}

const busy = () =>
  new ProblemError('busy', {
    detail: 'The server receives too many large bodies. Come back after the time of Retry-After.',
    retryAfterSeconds: 5,
  })

const tooMany = () =>
  new ProblemError('too-many-requests', {
    detail: `You are sending ${MAX_LARGE_OF_CALLER} large bodies already. Wait until one of them is done.`,
    retryAfterSeconds: 5,
  })

/**
 * Bounds the bytes of bodies in memory. They count as they come, not as they are announced. Where they are too many, the
 * client with the most of them loses the oldest body that is not complete.
 */
class BodyBudget {
  readonly #maxBytes: number
  readonly #bodies = new Map<string, Set<HeldBody>>()
  /** The large bodies of each user or device that come now. */
  readonly #receiving = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes = budgetOfHeap()) {
    this.#maxBytes = maxBytes
  }

  /** Counts a large body before it is read. @returns what ends it @throws ProblemError 429 if the caller sends many already */
  receive(caller: string): () => void {
    const count = this.#receiving.get(caller) ?? 0
    if (count >= MAX_LARGE_OF_CALLER) throw tooMany()
    this.#receiving.set(caller, count + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.#receiving.get(caller) ?? 1) - 1
      if (left > 0) this.#receiving.set(caller, left)
      else this.#receiving.delete(caller)
    }
  }

  hold(body: HeldBody, bytes: number): void {
    const own = this.#bodies.get(body.client) ?? new Set()
    this.#bodies.set(body.client, own.add(body))
    body.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#maxBytes) {
      const victim = this.#oldestOfLargest()
      if (!victim) return
      this.release(victim)
      victim.abort(busy())
    }
  }

  release(body: HeldBody): void {
    const own = this.#bodies.get(body.client)
    if (!own?.delete(body)) return
    if (own.size === 0) this.#bodies.delete(body.client)
    this.#bytes -= body.bytes
  }

  #oldestOfLargest(): HeldBody | null {
    let largest: { bytes: number; oldest: HeldBody } | null = null
    for (const own of this.#bodies.values()) {
      const oldest = [...own].find(({ isComplete }) => !isComplete)
      const bytes = [...own].reduce((sum, body) => sum + body.bytes, 0)
      if (oldest && bytes > (largest?.bytes ?? 0)) largest = { bytes, oldest }
    }
    return largest?.oldest ?? null
  }
}

const tooLarge = (limit: number) =>
  new ProblemError('too-large', { detail: `The largest body that this call takes is ${limit} bytes.` })

/**
 * Reads a body of at most the route's `bodyLimit`. Counts a large one in the budget until the answer is sent.
 * @throws ProblemError 400, 413, 429, 503
 */
async function readBody(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  { budget, held }: { budget: BodyBudget; held: WeakMap<object, HeldBody> },
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit ?? SMALL_BODY_BYTES
  const announced = announcedBytes(request)
  if ((announced ?? 0) > limit) throw tooLarge(limit)
  // The slots of heavy calls bound the bodies that workers parse, which are outside of the heap.
  const isCounted = !request.routeOptions.config.takesJsonBytes
  const caller = request.session?.userUid ?? request.device?.deviceUid ?? request.operator?.uid
  const isLarge = (announced ?? Infinity) > SMALL_BODY_BYTES
  const endReceiving = caller !== undefined && isLarge && isCounted ? budget.receive(caller) : () => {}
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let chunks: Buffer[] = []
  let bytes = 0
  const stop = () => {
    chunks.forEach(freeBytes)
    chunks = []
    payload.off('data', receive).off('end', finish).off('error', fail)
    endReceiving()
  }
  const fail = (reason: Error) => {
    stop()
    budget.release(body)
    reject(reason)
  }
  const body: HeldBody = {
    client: clientOf(request),
    bytes: 0,
    isComplete: false,
    endReceiving,
    abort: fail,
  }
  held.set(request.raw, body)
  const receive = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limit) return fail(tooLarge(limit))
    chunks.push(chunk)
    if (bytes > SMALL_BODY_BYTES && isCounted) budget.hold(body, bytes - body.bytes)
  }
  const finish = () => {
    if (announced !== null && announced !== bytes)
      return fail(malformed('The body has not its announced length'))
    body.isComplete = true
    // A copy, even of one chunk.
    resolve(Buffer.concat(chunks, bytes))
    stop()
  }
  payload.on('data', receive).on('end', finish).on('error', fail)
  return promise
}

/**
 * Makes the server accept JSON, as Fastify does, with these differences: an empty body is no body (some clients name a type and send nothing),
 * deep nesting is refused before parsing, a refusal names the position, and large bodies have a budget. Calls that parse
 * their body off the main thread get its bytes.
 */
export function acceptJson(app: FastifyInstance, budgetBytes?: number): void {
  const budget = new BodyBudget(budgetBytes)
  const held = new WeakMap<object, HeldBody>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasBody(raw))
      reply.raw.once('close', () => {
        const body = held.get(raw)
        if (!body) return
        body.endReceiving()
        budget.release(body)
      })
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      const body = await readBody(request, payload, { budget, held })
      if (body.length === 0) return undefined
      return request.routeOptions.config.takesJsonBytes ? body : parseJsonText(body.toString())
    },
  )
}
