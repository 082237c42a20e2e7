import type { Readable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { streamParts, type StreamedParts, streamThrough } from '../../platform/lib/thread-streams.ts'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import type { PlayChoice } from './parquet-reader.ts'
import type { FileFacts, WrittenFile } from './parquet-writer.ts'

export interface WriteJob {
  kind: 'write'
  /** The rows, chunk by chunk. */
  port: MessagePort
  facts: FileFacts
}

export interface ReadJob {
  kind: 'read'
  /** The file on this machine. */
  path: string
  /** Of its bytes. */
  sha256: string
  choice: PlayChoice
}

/** Threads that read and write files of the archive: their heap holds some row groups, and beside it the bytes of one file. */
const program = new URL('./archive-worker.ts', import.meta.url)
const readers = new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 256, youngHeapMegabytes: 32 })
const writers = new WorkerPool({ program, runs: 'in a thread', heapMegabytes: 512, youngHeapMegabytes: 32 })
/** Half a million plays take some seconds. */
const MAX_PROCESSOR_MS = 300_000

/** The chosen plays of a file in COPY's binary form, without its header and trailer. */
export function readArchiveFile(file: Omit<ReadJob, 'kind'>): Readable {
  const data: ReadJob = { kind: 'read', ...file }
  const { bytes, result } = streamParts<number>(readers, { data, deadlineMs: MAX_PROCESSOR_MS })
  // The stream has the same error.
  result.catch(() => undefined)
  return bytes
}

/** The bytes of a file of these rows, which are COPY's binary form of PLAY_COLUMNS; the result is null if there are none. */
export function writeArchiveFile(rows: Readable, facts: FileFacts): StreamedParts<WrittenFile | null> {
  const dataOf = (port: MessagePort): WriteJob => ({ kind: 'write', port, facts })
  return streamThrough(writers, rows, { dataOf, deadlineMs: MAX_PROCESSOR_MS })
}
