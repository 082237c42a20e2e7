import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { WorkerPool } from './worker-pool.ts'

/*
 * Streams of bytes to and from threads. A thread that is slow holds its source back, which hands a chunk each time that it is asked; a reader
 * that is slow holds the thread back.
 */

/** The thread takes over a chunk that has its memory for itself; of another one it gets a copy. */
function hand(port: MessagePort, chunk: Buffer): void {
  const { buffer } = chunk
  const isAlone = buffer.byteLength === chunk.byteLength && buffer instanceof ArrayBuffer
  port.postMessage(isAlone ? chunk : new Uint8Array(chunk), isAlone ? [buffer] : [])
}

/** Hands chunks to a thread, one each time it asks. Without the rest of them the port closes. */
function serveChunks(port: MessagePort, chunks: Readable): void {
  const each = chunks[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  port.on('message', () => {
    each.next().then(
      ({ value, done }) => (done ? port.postMessage(null) : hand(port, value)),
      // The maker of the stream has the same error.
      () => port.close(),
    )
  })
}

/** What a thread asks for, and gets: a chunk, or null at their end. */
async function ask(port: MessagePort): Promise<Uint8Array | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>()
  const broken = () => reject(new Error('The chunks end too early'))
  port.once('message', resolve).once('close', broken)
  port.postMessage('next')
  try {
    return await promise
  } finally {
    port.off('message', resolve).off('close', broken)
  }
}

/** The chunks that come through a port. */
export async function* chunksFrom(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (let chunk = await ask(port); chunk !== null; chunk = await ask(port)) yield chunk
  port.close()
}

interface StreamedJob {
  data: object
  transfer?: readonly MessagePort[]
  /** Processor time. */
  deadlineMs: number
}

/** What a thread emits, and its result. A reader that ends early ends the job. */
export interface StreamedParts<Result> {
  bytes: Readable
  /** Rejects with the error of the stream, which is enough to listen to. */
  result: Promise<Result>
}

/** A thread works ahead of its reader by so much, so that both work at once. */
const AHEAD_BYTES = 1_048_576

/** The parts that a thread emits, as a stream. */
export function streamParts<Result>(pool: WorkerPool, job: StreamedJob): StreamedParts<Result> {
  const bytes = new PassThrough({ writableHighWaterMark: AHEAD_BYTES })
  const gone = new AbortController()
  bytes.once('close', () => gone.abort())
  const result = pool.run<Result, Uint8Array>({
    ...job,
    signal: gone.signal,
    onPart: async part => {
      if (!bytes.write(part)) await once(bytes, 'drain', { signal: gone.signal })
    },
  })
  result.then(
    () => bytes.end(),
    (error: unknown) => bytes.destroy(error as Error),
  )
  return { bytes, result }
}

/** The same of a thread that works on chunks, which come through a port. */
export function streamThrough<Result>(
  pool: WorkerPool,
  chunks: Readable,
  { dataOf, deadlineMs }: { dataOf: (port: MessagePort) => object; deadlineMs: number },
): StreamedParts<Result> {
  const { port1, port2 } = new MessageChannel()
  serveChunks(port1, chunks)
  const streamed = streamParts<Result>(pool, { data: dataOf(port2), transfer: [port2], deadlineMs })
  streamed.bytes.once('close', () => {
    port1.close()
    chunks.destroy()
  })
  chunks.once('error', error => streamed.bytes.destroy(error))
  return streamed
}
