import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { serveChunks } from '../../platform/lib/chunk-port.ts'
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

/** The file that a thread makes of rows, as a stream. A reader that stops holds thread and rows back. */
export function fileStream(made: FileJob['file'], rows: Readable): Readable {
  const file = new PassThrough()
  const gone = new AbortController()
  const { port1, port2 } = new MessageChannel()
  serveChunks(port1, rows)
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
