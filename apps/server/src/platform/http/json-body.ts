import type { FastifyInstance } from 'fastify'
import { ProblemError } from '../lib/errors.ts'

/** No call of ours nests half as deep; parsers and PostgreSQL recurse, and would run out of stack somewhere. */
const DEEPEST = 32

const [QUOTE, BACKSLASH, ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** The place, from 0, just behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === BACKSLASH) at++
    else if (sign === QUOTE) return at + 1
  }
  return text.length
}

/** Where a text of JSON first nests deeper than 32 levels, from 0; -1 when nowhere. */
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

/** The parser's own sentence, which names the place. */
function whyNotJson(text: string): string {
  try {
    JSON.parse(text)
    return 'A key such as __proto__ is not allowed'
  } catch (error) {
    return error instanceof Error ? error.message : 'No JSON'
  }
}

const malformed = (detail: string) => new ProblemError(400, 'malformed', { detail })

/**
 * JSON as Fastify parses it, but an empty body is no body (some clients name a type and send nothing), what nests without
 * end is refused before it is parsed, and a refusal names the place.
 */
export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    const tooDeep = findTooDeep(body)
    if (tooDeep >= 0)
      return done(malformed(`Nested deeper than ${DEEPEST} levels at character ${tooDeep + 1}`))
    void parse(request, body, (error, value) =>
      error ? done(malformed(whyNotJson(body))) : done(null, value),
    )
  })
}
