import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { serveChunks } from '../../platform/lib/chunk-port.ts'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import type { ReadJob, WriteJob } from './archive-worker.ts'
import type { FileFacts, WrittenFile } from './parquet-writer.ts'

/** Threads that read and write files of the archive: their heap holds some row groups, and beside it the bytes of one file. */
const program = new URL('./archive-worker.ts', import.meta.url)
const readers = new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 256, youngHeapMegabytes: 32 })
const writers = new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 512, youngHeapMegabytes: 32 })
/** Half a million plays take some seconds. */
const MAX_PROCESSOR_MS = 300_000

interface Work {
  pool: WorkerPool
  job: (gone: AbortSignal) => Omit<Parameters<WorkerPool['run']>[0], 'deadlineMs' | 'onPart' | 'signal'>
}

/** What a thread emits, as a stream. A reader that stops holds the thread back. */
function streamOf<Result>({ pool, job }: Work): { bytes: Readable; result: Promise<Result> } {
  const bytes = new PassThrough()
  const gone = new AbortController()
  bytes.once('close', () => gone.abort())
  const result = pool.run<Result, Uint8Array>({
    ...job(gone.signal),
    deadlineMs: MAX_PROCESSOR_MS,
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

/** The chosen plays of a file in COPY's binary form, without its header and trailer. */
export const readArchiveFile = (data: Omit<ReadJob, 'kind'>): Readable =>
  streamOf<number>({ pool: readers, job: () => ({ data: { kind: 'read', ...data } satisfies ReadJob }) })
    .bytes

/** The bytes of a file of these rows, which are COPY's binary form of PLAY_COLUMNS; the result is null if there are none. */
export function writeArchiveFile(rows: Readable, facts: FileFacts) {
  const { port1, port2 } = new MessageChannel()
  serveChunks(port1, rows)
  const data = { kind: 'write', port: port2, facts } satisfies WriteJob
  const written = streamOf<WrittenFile | null>({ pool: writers, job: () => ({ data, transfer: [port2] }) })
  written.bytes.once('close', () => {
    port1.close()
    rows.destroy()
  })
  rows.once('error', error => written.bytes.destroy(error))
  return written
}
