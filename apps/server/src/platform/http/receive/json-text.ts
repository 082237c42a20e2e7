import secureJson from 'secure-json-parse'
import { ProblemError } from '../../lib/errors.ts'

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

export const malformed = (detail: string) => new ProblemError(400, 'malformed', { detail })

/** Parses a JSON text. @throws ProblemError 400 with the position of the fault, or for nesting deeper than 32 levels */
export function parseJsonText(text: string): unknown {
  const tooDeep = findTooDeep(text)
  if (tooDeep >= 0) throw malformed(`Nested deeper than ${DEEPEST} levels at character ${tooDeep + 1}`)
  try {
    return secureJson.parse(text)
  } catch {
    throw malformed(whyNotJson(text))
  }
}
