/*
 * The binary form of PostgreSQL's COPY: a header, rows of fields with their lengths, and a trailer.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEADER_BYTES = SIGNATURE.length + 8

/** PostgreSQL counts days and microseconds from 2000-01-01, Parquet from 1970-01-01. */
export const EPOCH_DAYS = 10_957
export const EPOCH_MICROSECONDS = BigInt(EPOCH_DAYS) * 86_400_000_000n

/** A row, until the next one is asked for. */
export interface CopiedRow {
  bytes: Buffer
  view: DataView
  /** Where each field begins, and its bytes; -1: null. */
  at: Int32Array
  lengths: Int32Array
}

/** Finds the fields of the row at `start`. @returns where it ends; -1: it is not whole */
function findFields(row: CopiedRow, start: number): number {
  const { view, at, lengths } = row
  const end = view.byteLength
  let next = start + 2
  for (let field = 0; field < at.length; field += 1) {
    if (next + 4 > end) return -1
    const length = view.getInt32(next)
    at[field] = next + 4
    lengths[field] = length
    next += 4 + Math.max(0, length)
  }
  return next > end ? -1 : next
}

/** @throws Error for bytes that are no such rows, or that end too early */
export async function* copiedRowsOf(
  chunks: AsyncIterable<Uint8Array>,
  fields: number,
): AsyncGenerator<CopiedRow> {
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false
  for await (const chunk of chunks) {
    const bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const row = { bytes, view, at: new Int32Array(fields), lengths: new Int32Array(fields) }
    let start = 0
    if (!isBegun && bytes.length >= HEADER_BYTES) {
      if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('These are no rows of COPY')
      isBegun = true
      start = HEADER_BYTES
    }
    while (isBegun && start + 2 <= bytes.length) {
      const count = view.getInt16(start)
      if (count === -1) return
      if (count !== fields) throw new Error(`A row of COPY has ${count} fields instead of ${fields}`)
      const end = findFields(row, start)
      if (end < 0) break
      yield row
      start = end
    }
    rest = bytes.subarray(start)
  }
  throw new Error('The rows of COPY end too early')
}

const FIRST_BYTES = 1 << 18

/** Collects rows in the same form. */
export class CopyBuffer {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = new DataView(this.#bytes.buffer)
  length = 0

  begin(): void {
    this.bytes(SIGNATURE)
    this.integer(0)
    this.integer(0)
  }

  row(fields: number): void {
    this.#need(2)
    this.#view.setInt16(this.length, fields)
    this.length += 2
  }

  integer(value: number): void {
    this.#need(4)
    this.#view.setInt32(this.length, value)
    this.length += 4
  }

  long(value: bigint): void {
    this.#need(8)
    this.#view.setBigInt64(this.length, value)
    this.length += 8
  }

  double(value: number): void {
    this.#need(8)
    this.#view.setFloat64(this.length, value)
    this.length += 8
  }

  byte(value: number): void {
    this.#need(1)
    this.#view.setUint8(this.length, value)
    this.length += 1
  }

  bytes(value: Uint8Array): void {
    this.#need(value.length)
    this.#bytes.set(value, this.length)
    this.length += value.length
  }

  end(): void {
    this.row(-1)
  }

  /** Empties it. @returns the bytes, which the caller owns */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.length))
    this.length = 0
    return taken
  }

  #need(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.length + more))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
