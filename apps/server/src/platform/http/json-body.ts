import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../lib/errors.ts'
import { clientOf } from './access.ts'
import { BodyBudget, type HeldBody, SMALL_BODY_BYTES } from './body-budget.ts'
import { announcedBytes } from './multipart.ts'
import { hasBody } from './slow-senders.ts'

/** Twice the depth of any call. Parsers and PostgreSQL recurse, so a much deeper text would exhaust a stack. */
const DEEPEST = 32

const [QUOTE, BACKSLASH, ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === BACKSLASH) at++
    else if (sign === QUOTE) return at + 1
  }
  return text.length
}

/** The index at which a JSON text nests deeper than 32 levels; -1 if it does not. */
function findTooDeep(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at) - 1
    else if (sign === ARRAY_END || sign === OBJECT_END) depth--
    else if ((sign === ARRAY || sign === OBJECT) && ++depth > DEEPEST) return at
  }
  return -1
}

/** The message of the parser, which names the position. */
function whyNotJson(text: string): string {
  try {
    JSON.parse(text)
    return 'A key such as __proto__ is not allowed'
  } catch (error) {
    return error instanceof Error ? error.message : 'No JSON'
  }
}

const malformed = (detail: string) => new ProblemError(400, 'malformed', { detail })

const tooLarge = (limit: number) =>
  new ProblemError(413, 'too-large', { detail: `The largest body that this call takes is ${limit} bytes.` })

/**
 * Reads a body of at most the route's `bodyLimit`. Counts a large one in the budget until the answer is sent.
 * @throws ProblemError 400, 413, 503
 */
async function readBody(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  { budget, held }: { budget: BodyBudget; held: WeakMap<object, HeldBody> },
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit ?? SMALL_BODY_BYTES
  const announced = announcedBytes(request)
  if ((announced ?? 0) > limit) throw tooLarge(limit)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let chunks: Buffer[] = []
  let bytes = 0
  const stop = () => {
    chunks = []
    payload.off('data', receive).off('end', finish).off('error', fail)
  }
  const fail = (reason: Error) => {
    stop()
    budget.release(body)
    reject(reason)
  }
  const body: HeldBody = { client: clientOf(request), bytes: 0, isComplete: false, abort: fail }
  held.set(request.raw, body)
  const receive = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limit) return fail(tooLarge(limit))
    chunks.push(chunk)
    if (bytes > SMALL_BODY_BYTES) budget.hold(body, bytes - body.bytes)
  }
  const finish = () => {
    if (announced !== null && announced !== bytes)
      return fail(malformed('The body has not its announced length'))
    body.isComplete = true
    resolve(Buffer.concat(chunks, bytes))
    stop()
  }
  payload.on('data', receive).on('end', finish).on('error', fail)
  return promise
}

/**
 * Parses JSON as Fastify does, with these differences: an empty body is no body (some clients name a type and send nothing),
 * deep nesting is refused before parsing, a refusal names the position, and large bodies have a budget.
 */
export function parseJson(app: FastifyInstance, budget = new BodyBudget()): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const parseText = (request: FastifyRequest, text: string) => {
    if (text === '') return undefined
    const tooDeep = findTooDeep(text)
    if (tooDeep >= 0) throw malformed(`Nested deeper than ${DEEPEST} levels at character ${tooDeep + 1}`)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    void parse(request, text, (error, value) =>
      error ? reject(malformed(whyNotJson(text))) : resolve(value),
    )
    return promise
  }
  const held = new WeakMap<object, HeldBody>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasBody(raw))
      reply.raw.once('close', () => {
        const body = held.get(raw)
        if (body) budget.release(body)
      })
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) =>
      parseText(request, (await readBody(request, payload, { budget, held })).toString()),
  )
}
