import type { ReportColumn } from '@floorcast/contract/report-columns.ts'
import type { Readable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { streamThrough } from '../../platform/lib/thread-streams.ts'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import type { PdfFile } from './pdf-file.ts'

export interface XlsxFile {
  format: 'xlsx'
  title: string
  columns: readonly { heading: string; type: ReportColumn['type'] }[]
  notes: readonly string[]
  /** The first column is at the right. */
  isRightToLeft: boolean
}

/** A file that a thread makes of rows. */
export interface FileJob {
  /** The rows in COPY's text form; see copied-rows.ts. */
  port: MessagePort
  file: XlsxFile | PdfFile
}

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
export function fileStream(file: FileJob['file'], rows: Readable): Readable {
  const dataOf = (port: MessagePort): FileJob => ({ port, file })
  const { bytes, result } = streamThrough(threads[file.format], rows, {
    dataOf,
    deadlineMs: MAX_PROCESSOR_MS,
  })
  // The stream has the same error.
  result.catch(() => undefined)
  return bytes
}
