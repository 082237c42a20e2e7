import { expect, test } from 'vitest'
import { isOverLimit, WorkerThreads } from './worker-threads.ts'

/** Threads whose program does this with each job. */
const threadsThat = (work: string) =>
  new WorkerThreads({
    program: new URL(
      `data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${encodeURIComponent(work)} })`,
    ),
    heapMegabytes: 64,
  })
const jobOf = (deadlineMs: number) => ({ data: {}, deadlineMs })

test('a job that fills the memory of its thread ends by its limit', async () => {
  const threads = threadsThat('const all = []; for (;;) all.push({ a: 1, b: [1, 2, 3] })')
  const error = await threads.run(jobOf(30_000)).catch((reason: unknown) => reason)
  expect(error).toHaveProperty('code', 'ERR_WORKER_OUT_OF_MEMORY')
  expect(isOverLimit(error)).toBe(true)
})

test('a job that takes too much processor time ends by its limit', async () => {
  const threads = threadsThat('for (;;);')
  const error = await threads.run(jobOf(300)).catch((reason: unknown) => reason)
  expect(isOverLimit(error)).toBe(true)
})

test('a thread that ends without an answer fails its job', async () => {
  const threads = threadsThat('process.exit(3)')
  await expect(threads.run(jobOf(30_000))).rejects.toThrow('The worker ended with 3 and said nothing')
})

test('an error of the program fails its job', async () => {
  const threads = threadsThat("throw new RangeError('no such thing')")
  await expect(threads.run(jobOf(30_000))).rejects.toThrow('no such thing')
})
