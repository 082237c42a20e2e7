import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AcceptedVideo, Refused } from './verdict.ts'

// A day of video needs a third of both; a file that claims millions of samples it does not have would need everything.
const MOST_HEAP_MB = 256
const MOST_MILLIS = 10_000
/** Starting the thread takes 100 ms, so it waits this long for another file. */
const IDLE_MILLIS = 30_000

let thread: Worker | null = null
let idle: NodeJS.Timeout | null = null
let turn: Promise<unknown> = Promise.resolve()

function start(): Worker {
  const worker = new Worker(new URL('./judge-mp4-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  })
  // Who waits for a verdict hears of an error too; one that nobody waits for must not end the server.
  worker.on('error', () => {})
  worker.on('exit', () => {
    if (thread === worker) thread = null
  })
  return worker
}

function wake(): Worker {
  if (idle) clearTimeout(idle)
  thread ??= start()
  thread.ref()
  return thread
}

/** An idle thread keeps no program from ending. */
function rest(worker: Worker): void {
  worker.unref()
  idle = setTimeout(() => void end(worker), IDLE_MILLIS).unref()
}

async function end(worker: Worker): Promise<void> {
  if (thread === worker) thread = null
  await worker.terminate()
}

async function ask(path: string): Promise<AcceptedVideo | Refused> {
  const worker = wake()
  worker.postMessage(path)
  try {
    const [verdict] = (await once(worker, 'message', { signal: AbortSignal.timeout(MOST_MILLIS) })) as [
      AcceptedVideo | Refused,
    ]
    rest(worker)
    return verdict
  } catch (error) {
    await end(worker)
    throw error
  }
}

/**
 * Has the tracks of an MP4 judged in a thread with bounded memory and time: a few wrong bytes in a sample table make the
 * reader fill any heap. One file at a time, so that hostile ones cannot add up. @throws when it ran out of either
 */
export async function judgeTracksApart(path: string): Promise<AcceptedVideo | Refused> {
  const mine = turn.then(() => ask(path))
  turn = mine.catch(() => {})
  return await mine
}
