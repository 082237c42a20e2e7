import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import type { FileJob } from './file-threads.ts'

/** A thread loads only what its files need: pdfkit and the fonts take some tenths of a second. */
async function makeFile({ port, file }: FileJob): Promise<AsyncIterable<Uint8Array>> {
  if (file.format === 'xlsx') return (await import('./xlsx-file.ts')).xlsxFile(port, file)
  return (await import('./pdf-file.ts')).pdfFile(port, file)
}

/** Parts of fewer bytes would cost more in messages than in bytes. */
const PART_BYTES = 65_536

answerJobs<FileJob, Uint8Array>(async (job, emit) => {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of await makeFile(job)) {
    parts.push(part)
    size += part.byteLength
    if (size < PART_BYTES) continue
    await emit(Buffer.concat(parts))
    parts = []
    size = 0
  }
  await emit(Buffer.concat(parts))
})
