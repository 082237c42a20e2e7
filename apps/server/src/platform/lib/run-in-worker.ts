import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

interface WorkerWork {
  /** The worker's program; it posts one message, its result. */
  program: URL
  data: object
  heapMegabytes: number
  signal?: AbortSignal | undefined
}

/** Runs a program in a worker thread with a heap of its own, and answers what it posts. @throws what it throws, out of memory and the signal's reason too */
export async function runInWorker<Result>({
  program,
  data,
  heapMegabytes,
  signal,
}: WorkerWork): Promise<Result> {
  const worker = new Worker(program, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  const silent = async (): Promise<never> => {
    const [code] = (await once(worker, 'exit')) as [number]
    throw new Error(`The worker ended with ${code} and said nothing`)
  }
  try {
    const [result] = (await Promise.race([once(worker, 'message', { signal }), silent()])) as [Result]
    return result
  } finally {
    await worker.terminate()
  }
}
