import { setImmediate as nextTurn } from 'node:timers/promises'

const PIECE_CHARACTERS = 64 * 1024

type Field = readonly [name: string, value: unknown]

/** An array that is written item by item. */
export class LongArray {
  readonly items: Iterable<unknown>
  constructor(items: Iterable<unknown>) {
    this.items = items
  }
}

/** An object that is written field by field. */
export class LongObject {
  readonly fields: readonly Field[]
  constructor(fields: readonly Field[]) {
    this.fields = fields
  }
}

function* tokensOf(value: unknown): Generator<string> {
  if (value instanceof LongArray) {
    yield '['
    let separator = ''
    for (const item of value.items) {
      yield separator + JSON.stringify(item)
      separator = ','
    }
    yield ']'
  } else if (value instanceof LongObject) {
    let separator = '{'
    for (const [name, inner] of value.fields) {
      if (inner === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* tokensOf(inner)
      separator = ','
    }
    yield '}'
  } else yield JSON.stringify(value)
}

/** The JSON of a long answer, in pieces; between two of them the server has time for other calls. */
export async function* jsonPieces(value: LongObject): AsyncGenerator<string> {
  let piece = ''
  for (const token of tokensOf(value)) {
    piece += token
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield piece
}
