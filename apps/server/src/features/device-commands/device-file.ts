import { type DeviceFileType, MAX_DEVICE_FILE_BYTES } from '@floorcast/contract/device-commands.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { FairQueue } from '../../platform/lib/fair-queue.ts'
import { isOverLimit, WorkerPool } from '../../platform/lib/worker-pool.ts'
import { pixelsOf } from '../media-probe/media-probe.ts'
import type { PictureJob, PictureType } from './picture-worker.ts'

/**
 * A little more than 4096 × 4096. A few kilobytes can claim any size, so that this is checked before anything is decoded: the decoder
 * takes at most 10 bytes a pixel, the encoder as much.
 */
const MAX_PIXELS = 17_000_000
/** Processor time. A picture of two million pixels takes 0.3 s with the start of its worker; one of thousands of scans takes minutes. */
const MIN_DEADLINE_MS = 1500
const PIXELS_A_MS = 2000
/** The memory of the codecs is not part of it. */
const HEAP_MEGABYTES = 64
/** A larger one leaves a place for others. */
const LARGE_PIXELS = 4_000_000
const MAX_WAIT_MS = 30_000
const RETRY_SECONDS = 5

const workers = new WorkerPool({
  program: new URL('./picture-worker.ts', import.meta.url),
  runs: 'in a process',
  heapMegabytes: HEAP_MEGABYTES,
  isForOneJob: true,
})
const turns = new FairQueue({ places: 2, longPlaces: 1, maxWaiting: 40, maxWaitingAClient: 8 })

/** What is stored of a device's file. */
interface CheckedFile {
  contentType: DeviceFileType
  content: Buffer
}

/** Works for a picture when the client has a turn. @throws ProblemError 503 if too many wait; errors of the work */
export async function inTurn(
  { clientId, picture, contentType }: { clientId: string; picture: Buffer; contentType: PictureType },
  work: () => Promise<void>,
): Promise<void> {
  const isLong = pixelsOf(picture, contentType) > LARGE_PIXELS
  const entering = turns.enter({ clientId, isLong, signal: AbortSignal.timeout(MAX_WAIT_MS) })
  const leave = await entering.catch(() => {
    throw new ProblemError('busy', { retryAfterSeconds: RETRY_SECONDS })
  })
  await work().finally(leave)
}

async function encodeAgain(job: PictureJob & { bytes: Buffer }): Promise<CheckedFile | null> {
  const pixels = pixelsOf(job.bytes, job.contentType)
  if (pixels === 0 || pixels > MAX_PIXELS) return null
  const deadlineMs = MIN_DEADLINE_MS + pixels / PIXELS_A_MS
  try {
    const picture = await workers.run<Uint8Array | null>({ data: job, deadlineMs })
    return picture && { contentType: 'image/jpeg', content: Buffer.from(picture) }
  } catch (error) {
    if (isOverLimit(error)) return null
    throw error
  }
}

function checkText(content: Buffer): CheckedFile | null {
  if (content.includes(0)) return null
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return { contentType: 'text/plain', content }
  } catch {
    return null
  }
}

/**
 * What is stored of a device's file: UTF-8 text, or a new JPEG with the pixels of a JPEG or PNG of at most 17 million, and nothing else
 * that the device sent. Null if the bytes are not what their type says, or take longer than any picture of this size.
 */
export async function checkDeviceFile(
  bytes: Buffer,
  contentType: DeviceFileType,
): Promise<CheckedFile | null> {
  if (contentType === 'text/plain') return checkText(bytes)
  return encodeAgain({ bytes, contentType, maxBytes: MAX_DEVICE_FILE_BYTES })
}
