import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { chunksFrom } from '../../platform/lib/thread-streams.ts'
import { answerJobs, type Emit } from '../../platform/lib/worker-jobs.ts'
import type { ReadJob, WriteJob } from './archive-threads.ts'
import { readParquet } from './parquet-reader.ts'
import { writeParquet } from './parquet-writer.ts'

async function read({ path, sha256, choice }: ReadJob, emit: Emit<Uint8Array>): Promise<number> {
  const bytes = await readFile(path)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error('its bytes have changed')
  const { buffer, byteOffset, byteLength } = bytes
  return readParquet(buffer.slice(byteOffset, byteOffset + byteLength), choice, emit)
}

answerJobs<WriteJob | ReadJob, Uint8Array>((job, emit) =>
  job.kind === 'read' ? read(job, emit) : writeParquet(chunksFrom(job.port), job.facts, emit),
)
