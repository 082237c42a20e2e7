/** The side of a worker; worker-pool.ts is the other side. */
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type ProblemDetails, ProblemError } from './errors.ts'

/** How a job ended. */
export type WorkerEnd =
  | { kind: 'result'; result: unknown }
  | { kind: 'problem'; code: ProblemError['code']; details: ProblemDetails }
  | { kind: 'error'; error: Error }

/** A worker's message about its job: parts, then one end. */
export type WorkerAnswer = { kind: 'part'; part: unknown } | WorkerEnd

/** A message to a worker: a job, or the request for the next part of the present one. */
export type WorkerRequest = { data: unknown } | { next: true }

/** Sends a part of the answer. Resolves when the server has taken it. */
export type Emit<Part> = (part: Part) => Promise<void>

/** On Linux each thread has its own priority too: the thread that answers calls goes before this one. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The system may forbid it; then the scheduler treats all threads alike.
  }
}

const answerOf = (error: unknown): WorkerEnd =>
  error instanceof ProblemError
    ? { kind: 'problem', code: error.code, details: error.details }
    : { kind: 'error', error: error instanceof Error ? error : new Error(String(error)) }

/** Receives the server's messages and sends the answers. A process lives as long as the server and leaves its stop to it. */
function openPort(): {
  on: (take: (request: WorkerRequest) => void) => void
  post: (answer: WorkerAnswer) => void
} {
  const port = parentPort
  if (port) return { on: take => void port.on('message', take), post: answer => port.postMessage(answer) }
  if (!process.send) throw new Error('This program is for a worker')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  return { on: take => void process.on('message', take), post: answer => void process.send?.(answer) }
}

/**
 * Answers the jobs of this worker, one after another. Parts keep the server's event loop free: it takes one part, serves
 * other calls and takes the next one.
 */
export function answerJobs<Data, Part = never>(work: (data: Data, emit: Emit<Part>) => unknown): void {
  const { on, post } = openPort()
  lowerPriority()
  let taken = () => {}
  const emit: Emit<Part> = part =>
    new Promise(resolve => {
      taken = resolve
      post({ kind: 'part', part })
    })
  const answer = async (data: Data) => post({ kind: 'result', result: await work(data, emit) })
  on(request => {
    if ('next' in request) taken()
    else answer(request.data as Data).catch((error: unknown) => post(answerOf(error)))
  })
}
