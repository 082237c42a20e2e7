import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { FileWindow } from './file-window.ts'
import { refuse, type MediaProbeResult, type ProbedVideo, type ProbeRefusalReason } from './probe-result.ts'

const HEADER_BYTES = 8
const LONG_HEADER_BYTES = 16
/** The sample tables of a day of video stay below this. */
const MAX_MOOV_BYTES = 64 * 1024 * 1024
const MAX_BOXES = 200_000

type Box = { type: string; start: number; size: number }

async function readBox(file: FileWindow, start: number): Promise<Box | null> {
  const header = await file.bytes(start, LONG_HEADER_BYTES)
  if (header.length < HEADER_BYTES) return null
  const type = header.toString('latin1', 4, 8)
  const short = header.readUInt32BE(0)
  if (short === 0) return { type, start, size: file.size - start }
  if (short !== 1) return short < HEADER_BYTES ? null : { type, start, size: short }
  if (header.length < LONG_HEADER_BYTES) return null
  const size = Number(header.readBigUInt64BE(8))
  return size < LONG_HEADER_BYTES ? null : { type, start, size }
}

/** Reads the top-level boxes; null unless they fill the file to its last byte. */
async function readTopBoxes(file: FileWindow): Promise<Box[] | null> {
  const boxes: Box[] = []
  let at = 0
  while (at < file.size) {
    const box = await readBox(file, at)
    if (!box || at + box.size > file.size || boxes.length === MAX_BOXES) return null
    boxes.push(box)
    at += box.size
  }
  return boxes
}

/** Checks the top-level boxes: `ftyp` first and not QuickTime's, no gap, nothing cut off, one `moov`, and media data. */
async function checkMp4Boxes(file: FileWindow): Promise<ProbeRefusalReason | null> {
  if (file.size === 0) return 'file-empty'
  const head = await file.bytes(0, HEADER_BYTES + 4)
  if (head.length < HEADER_BYTES + 4 || head.toString('latin1', 4, 8) !== 'ftyp') return 'not-mp4'
  if (head.toString('latin1', 8, 12) === 'qt  ') return 'quicktime'
  const boxes = await readTopBoxes(file)
  const moov = boxes?.filter(box => box.type === 'moov') ?? []
  const isWhole = boxes?.some(box => box.type === 'mdat') && moov.length === 1
  return isWhole && (moov[0]?.size ?? 0) <= MAX_MOOV_BYTES ? null : 'file-damaged'
}

// A day of video needs a third of both limits. A file that falsely claims millions of samples would exceed any limit.
const MAX_HEAP_MB = 256
const MAX_PROBE_MS = 10_000
/** Starting the thread takes 100 ms, so it stays this long for another file. */
const THREAD_IDLE_MS = 30_000

let thread: Worker | null = null
let idle: NodeJS.Timeout | null = null
let queue: Promise<unknown> = Promise.resolve()

function startThread(): Worker {
  const worker = new Worker(new URL('./probe-mp4-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  // `once` below rejects on an error; one that arrives between two files must not end the server.
  worker.on('error', () => {})
  worker.on('exit', () => {
    if (thread === worker) thread = null
  })
  return worker
}

function useThread(): Worker {
  if (idle) clearTimeout(idle)
  thread ??= startThread()
  thread.ref()
  return thread
}

/** An idle thread does not keep the process alive. */
function releaseThread(worker: Worker): void {
  worker.unref()
  idle = setTimeout(() => void endThread(worker), THREAD_IDLE_MS).unref()
}

async function endThread(worker: Worker): Promise<void> {
  if (thread === worker) thread = null
  await worker.terminate()
}

async function probeInThread(path: string): Promise<MediaProbeResult<ProbedVideo>> {
  const worker = useThread()
  worker.postMessage(path)
  try {
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(MAX_PROBE_MS) })) as [
      MediaProbeResult<ProbedVideo>,
    ]
    releaseThread(worker)
    return result
  } catch (error) {
    await endThread(worker)
    throw error
  }
}

/**
 * Probes the tracks in a thread with bounded memory and time: a few wrong bytes in a sample table make the reader fill any
 * heap. Probes one file at a time, so that hostile files do not add up. @throws when the thread exceeds a limit
 */
async function probeTracks(path: string): Promise<MediaProbeResult<ProbedVideo>> {
  const result = queue.then(() => probeInThread(path))
  queue = result.catch(() => {})
  return await result
}

async function checkBoxes(path: string): Promise<ProbeRefusalReason | null> {
  const handle = await open(path)
  try {
    return await checkMp4Boxes(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}

/**
 * Probes a file on disk as an MP4 of H.264 with AAC or no sound. HEVC and MPEG-4 part 2 are refused because Chromium
 * plays them as sound with a black picture and reports no error.
 */
export async function probeMp4(path: string): Promise<MediaProbeResult<ProbedVideo>> {
  const fault = await checkBoxes(path)
  if (fault) return refuse(fault)
  return await probeTracks(path).catch(() => refuse('file-damaged'))
}
