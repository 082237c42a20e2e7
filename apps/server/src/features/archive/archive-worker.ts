import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { MessagePort } from 'node:worker_threads'
import { chunksFrom } from '../../platform/lib/chunk-port.ts'
import { answerJobs, type Emit } from '../../platform/lib/worker-jobs.ts'
import { type PlayChoice, readParquet } from './parquet-reader.ts'
import { type FileFacts, writeParquet } from './parquet-writer.ts'

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

async function read({ path, sha256, choice }: ReadJob, emit: Emit<Uint8Array>): Promise<number> {
  const bytes = await readFile(path)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error('its bytes have changed')
  const { buffer, byteOffset, byteLength } = bytes
  return readParquet(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer, choice, emit)
}

answerJobs<WriteJob | ReadJob, Uint8Array>((job, emit) =>
  job.kind === 'read' ? read(job, emit) : writeParquet(chunksFrom(job.port), job.facts, emit),
)
