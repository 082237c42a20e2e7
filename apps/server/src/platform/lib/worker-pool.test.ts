import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import type { WorkerProgram } from './start-worker.ts'
import { isOverLimit, WorkerPool } from './worker-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'workers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const JOBS = JSON.stringify(new URL('worker-jobs.ts', import.meta.url))
let programs = 0

/** Workers whose program does this with the `data` of each job. */
function workersThat(work: string, runs: WorkerProgram['runs']): WorkerPool {
  const path = join(folder, `program-${(programs += 1)}.mjs`)
  writeFileSync(path, `import { answerJobs } from ${JOBS}\nanswerJobs(async (data, emit) => { ${work} })`)
  return new WorkerPool({ program: pathToFileURL(path), runs, heapMegabytes: 64 })
}
const jobOf = (deadlineMs = 30_000) => ({ data: { n: 1 }, deadlineMs })
const failureOf = (job: Promise<unknown>) => job.catch((reason: unknown) => reason)

describe.each(['in a thread', 'in a process'] as const)('%s', runs => {
  test('a job gives its result, and the next one gets the same worker', async () => {
    const workers = workersThat(
      'return { pid: process.pid, calls: (globalThis.calls = (globalThis.calls ?? 0) + data.n) }',
      runs,
    )
    const first = await workers.run<{ pid: number; calls: number }>(jobOf())
    expect(await workers.run(jobOf())).toEqual({ pid: first.pid, calls: 2 })
    expect(first.pid === process.pid).toBe(runs === 'in a thread')
  })

  test('an answer comes in parts, and the worker waits for each to be taken', async () => {
    const workers = workersThat("for (const part of ['a', 'b']) await emit(part); return 'end'", runs)
    const parts: string[] = []
    const onPart = (part: string) => void parts.push(part)
    expect(await workers.run<string, string>({ ...jobOf(), onPart })).toBe('end')
    expect(parts).toEqual(['a', 'b'])
  })

  test('a job takes over the buffers that are handed to it', async () => {
    const workers = workersThat('return new Uint8Array(data.bytes)[2]', runs)
    const bytes = new Uint8Array([4, 5, 6]).buffer
    expect(await workers.run({ ...jobOf(), data: { bytes }, transfer: [bytes] })).toBe(6)
    expect(bytes.byteLength).toBe(0)
  })

  test('a job that takes too much processor time ends by its limit', async () => {
    expect(isOverLimit(await failureOf(workersThat('for (;;);', runs).run(jobOf(300))))).toBe(true)
  })

  test('a job whose caller is gone ends with the reason', async () => {
    const caller = new AbortController()
    const job = workersThat('for (;;);', runs).run({ ...jobOf(), signal: caller.signal })
    caller.abort(new Error('hung up'))
    await expect(job).rejects.toThrow('hung up')
  })

  test('a worker that ends without an answer fails its job, and the next one gets another', async () => {
    const workers = workersThat('if (data.n === 1) process.exit(3); return data.n', runs)
    await expect(workers.run(jobOf())).rejects.toThrow('The worker ended with 3 and said nothing')
    expect(await workers.run({ ...jobOf(), data: { n: 2 } })).toBe(2)
  })

  test('an idle worker keeps no process alive', async () => {
    const job = join(folder, `job-${(programs += 1)}.mjs`)
    writeFileSync(job, `import { answerJobs } from ${JOBS}\nanswerJobs(() => 'done')`)
    const caller = join(folder, `caller-${programs}.mjs`)
    const pool = JSON.stringify(new URL('worker-pool.ts', import.meta.url))
    const program = `new URL(${JSON.stringify(pathToFileURL(job))})`
    writeFileSync(
      caller,
      `import { WorkerPool } from ${pool}
       const workers = new WorkerPool({ program: ${program}, runs: '${runs}', heapMegabytes: 64 })
       console.log(await workers.run({ data: {}, deadlineMs: 10_000 }))`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, [caller], { timeout: 20_000 })
    expect(stdout).toBe('done\n')
  })

  test('an error of the program fails its job', async () => {
    const workers = workersThat("throw new RangeError('no such thing')", runs)
    await expect(workers.run(jobOf())).rejects.toThrow('no such thing')
  })
})

// A thread that does this ends the whole process, server and all, about once in four times on a busy machine.
test('a process that fills its memory ends alone, by its limit', async () => {
  const workers = workersThat('const all = []; for (;;) all.push({ a: 1, b: [1, 2, 3] })', 'in a process')
  expect(isOverLimit(await failureOf(workers.run(jobOf())))).toBe(true)
})

test('a process whose program is broken says why', async () => {
  const workers = workersThat(
    "setTimeout(() => { throw new RangeError('broken') }); return new Promise(() => {})",
    'in a process',
  )
  const error = await failureOf(workers.run(jobOf()))
  expect(String(error)).toContain('RangeError: broken')
  expect(isOverLimit(error)).toBe(false)
})
