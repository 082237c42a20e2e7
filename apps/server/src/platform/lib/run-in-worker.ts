import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

interface WorkerWork {
  /** The program of the worker. It posts one message, the result. */
  program: URL
  data: object
  heapMegabytes: number
  signal?: AbortSignal | undefined
}

/** Runs a program in a worker thread with a separate heap. @returns the result @throws errors of the program, out of memory, or the signal's reason */
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
