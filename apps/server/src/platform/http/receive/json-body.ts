import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { freeBytes } from '../../lib/free-bytes.ts'
import { clientOf } from '../admit/access.ts'
import { BodyBudget, type HeldBody, SMALL_BODY_BYTES } from './body-budget.ts'
import { malformed, parseJsonText } from './json-text.ts'
import { announcedBytes } from './multipart.ts'
import { hasBody } from './slow-senders.ts'

const tooLarge = (limit: number) =>
  new ProblemError(413, 'too-large', { detail: `The largest body that this call takes is ${limit} bytes.` })

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
  // The slots of heavy calls bound the bodies that threads parse, which are outside of the heap.
  const isCounted = !request.routeOptions.config.takesJsonBytes
  const caller = request.session?.userUid ?? request.device?.deviceUid
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
 * Parses JSON as Fastify does, with these differences: an empty body is no body (some clients name a type and send nothing),
 * deep nesting is refused before parsing, a refusal names the position, and large bodies have a budget. Calls that parse
 * their body off the main thread get its bytes.
 */
export function parseJson(app: FastifyInstance, budget = new BodyBudget()): void {
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
