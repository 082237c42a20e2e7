import { open } from 'node:fs/promises'
import { runInWorker } from '../run-in-worker.ts'
import { FileWindow } from './file-window.ts'
import { checkMp4Boxes } from './mp4-boxes.ts'
import { refuse, type AcceptedVideo, type RefusalReason, type Refused } from './verdict.ts'

// A day of video needs a third of both; a file that claims millions of samples it does not have would need everything.
const MOST_HEAP_MB = 256
const MOST_MILLIS = 10_000

async function checkBoxes(path: string): Promise<RefusalReason | null> {
  const handle = await open(path)
  try {
    return await checkMp4Boxes(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}

let turn: Promise<unknown> = Promise.resolve()

/** One file at a time, so that hostile ones cannot add up. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work)
  turn = mine.catch(() => {})
  return await mine
}

/**
 * Judges a file on disk as MP4 of H.264 with AAC or no sound. HEVC and MPEG-4 part 2 are refused because Chromium
 * plays them as sound with a black picture and reports no error. The tracks are read in a worker thread with bounded
 * memory and time: a few wrong bytes in a sample table make the reader fill any heap.
 */
export async function judgeMp4(path: string): Promise<AcceptedVideo | Refused> {
  const fault = await checkBoxes(path)
  if (fault) return refuse(fault)
  const work = () =>
    runInWorker<AcceptedVideo | Refused>({
      program: new URL('./judge-mp4-worker.ts', import.meta.url),
      data: { path },
      heapMegabytes: MOST_HEAP_MB,
      signal: AbortSignal.timeout(MOST_MILLIS),
    })
  return await inTurn(work).catch(() => refuse('file-damaged'))
}
