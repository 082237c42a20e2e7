import { Readable } from 'node:stream'
import type { Connection, Submittable } from 'pg'
import { freeBytes } from '../lib/free-bytes.ts'

/** The first byte of a message of PostgreSQL; its length, with the four bytes of the length, follows. */
const COPY_DATA = 0x64
const COPY_DONE = 0x63
const ERROR = 0x45
const HEADER_BYTES = 5

/** A chunk costs its reader a message to a thread or a write to a socket, and PostgreSQL sends 8 kB at a time. */
const CHUNK_BYTES = 65_536

type DataListener = (data: Buffer) => void

/**
 * The rows of a `COPY … TO STDOUT` as bytes, for `query` of a connection that does not pipeline. PostgreSQL sends a message for each
 * row: an object for each would be most of what the server does and holds. So this takes the place of the connection's own reader
 * until the rows end, copies their bytes into chunks and frees the memory that they came in. Each chunk but the first and the last one has
 * its memory for itself. The first does not wait to be full.
 */
export class CopyOut extends Readable implements Submittable {
  readonly #text: string
  #connection: Connection | null = null
  #ownListener: DataListener = () => {}
  readonly #listener: DataListener = data => this.#receive(data)
  readonly #header = Buffer.alloc(HEADER_BYTES)
  #headerBytes = 0
  /** The bytes left of the present message. */
  #messageBytes = 0
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  #chunkBytes = 0
  #hasPushed = false
  readonly #counted = Promise.withResolvers<number>()

  constructor(text: string) {
    super()
    this.#text = text
  }

  submit(connection: Connection): void {
    const { stream } = connection
    const [listener, ...others] = stream.listeners('data') as DataListener[]
    if (!listener || others.length > 0) throw new Error('A connection has one reader of its data')
    this.#connection = connection
    this.#ownListener = listener
    stream.off('data', listener).on('data', this.#listener)
    connection.query(this.#text)
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  handleError(error: Error): void {
    this.destroy(error)
  }

  /** The rows that were copied. PostgreSQL says it after the last one. */
  get rowCount(): Promise<number> {
    return this.#counted.promise
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#counted.resolve(Number(/^COPY (\d+)$/.exec(text)?.[1]))
  }

  /** The connection asks for it; there is nothing to do. */
  handleReadyForQuery(): void {}

  #receive(data: Buffer): void {
    for (let at = 0; at < data.length;) {
      if (this.#messageBytes > 0) {
        const end = Math.min(data.length, at + this.#messageBytes)
        if (this.#header[0] === COPY_DATA) this.#gather(data, at, end)
        this.#messageBytes -= end - at
        at = end
        continue
      }
      this.#header[this.#headerBytes] = data.readUInt8(at)
      this.#headerBytes += 1
      at += 1
      // The rest of an error is for the connection, and so is what follows the end.
      if (this.#header[0] === ERROR) return this.#giveBack([this.#header.subarray(0, 1), data.subarray(at)])
      if (this.#headerBytes < HEADER_BYTES) continue
      this.#headerBytes = 0
      this.#messageBytes = this.#header.readUInt32BE(1) - 4
      if (this.#header[0] !== COPY_DONE) continue
      if (this.#chunkBytes > 0) this.#push()
      this.push(null)
      return this.#giveBack([data.subarray(at)])
    }
    freeBytes(data)
    if (!this.#hasPushed && this.#chunkBytes > 0) this.#push()
  }

  #gather(data: Buffer, from: number, to: number): void {
    for (let at = from; at < to;) {
      const copied = data.copy(this.#chunk, this.#chunkBytes, at, to)
      at += copied
      this.#chunkBytes += copied
      if (this.#chunkBytes === CHUNK_BYTES) this.#push()
    }
  }

  /** A reader that is behind stops the connection, and so PostgreSQL. */
  #push(): void {
    const isWanted = this.push(this.#chunk.subarray(0, this.#chunkBytes))
    if (!isWanted) this.#connection?.stream.pause()
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    this.#chunkBytes = 0
    this.#hasPushed = true
  }

  #giveBack(rest: readonly Buffer[]): void {
    const stream = this.#connection?.stream
    this.#connection = null
    stream?.off('data', this.#listener).on('data', this.#ownListener)
    this.#ownListener(Buffer.concat(rest))
    stream?.resume()
  }
}
