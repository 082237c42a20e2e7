import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import type { FileJob } from './file-job.ts'

const program = new URL('./file-worker.ts', import.meta.url)
/**
 * Threads that make files, so that the server's event loop is free. Their number is that of the report's slots. With Node's default
 * of 48 MB for young objects, a file of some thousand rows grows the server by 20 MB (xlsx) to 120 MB (pdf) more.
 */
const threads = {
  xlsx: new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 192, youngHeapMegabytes: 8 }),
  pdf: new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 96, youngHeapMegabytes: 4 }),
}
/** Three million rows take about a minute. */
const MAX_PROCESSOR_MS = 600_000

/** The thread takes over a chunk that has its memory for itself; of another one it gets a copy. */
function hand(port: MessagePort, chunk: Buffer): void {
  const { buffer } = chunk
  const isAlone = buffer.byteLength === chunk.byteLength && buffer instanceof ArrayBuffer
  port.postMessage(isAlone ? chunk : new Uint8Array(chunk), isAlone ? [buffer] : [])
}

/** Hands rows to a thread, a chunk each time it asks. */
function serve(port: MessagePort, rows: Readable): void {
  const chunks = rows[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  port.on('message', () => {
    chunks.next().then(
      ({ value, done }) => (done ? port.postMessage(null) : hand(port, value)),
      // The stream of the file ends with the same error.
      () => port.close(),
    )
  })
}

/** The file that a thread makes of rows, as a stream. A reader that stops holds thread and rows back. */
export function fileStream(made: FileJob['file'], rows: Readable): Readable {
  const file = new PassThrough()
  const gone = new AbortController()
  const { port1, port2 } = new MessageChannel()
  serve(port1, rows)
  file.once('close', () => {
    gone.abort()
    port1.close()
    rows.destroy()
  })
  rows.once('error', error => file.destroy(error))
  threads[made.format]
    .run<undefined, Uint8Array>({
      data: { port: port2, file: made },
      transfer: [port2],
      deadlineMs: MAX_PROCESSOR_MS,
      signal: gone.signal,
      onPart: async part => {
        if (!file.write(part)) await once(file, 'drain', { signal: gone.signal })
      },
    })
    .then(
      () => file.end(),
      (error: unknown) => file.destroy(error as Error),
    )
  return file
}
