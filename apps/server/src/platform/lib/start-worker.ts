import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MessagePort, Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerRequest } from './worker-jobs.ts'

interface ThreadProgram {
  /** For rows that the server made itself: V8 may end the whole process when a thread fills its heap. */
  runs: 'in a thread'
  /** The memory of young objects, which a program makes many of; Node's default is 48. */
  youngHeapMegabytes?: number
}
interface ProcessProgram {
  /** For what comes from outside: a process may end alone. */
  runs: 'in a process'
}
/** The program calls `answerJobs` of worker-jobs.ts. */
export type WorkerProgram = { program: URL; heapMegabytes: number } & (ThreadProgram | ProcessProgram)
type Of<Kind> = Extract<WorkerProgram, Kind>

interface WorkerEvents {
  message: [WorkerAnswer]
  /** It has ended, by itself or by `end`. */
  end: [Error]
}

/** A thread or process of one program. It does not keep the server alive after `unref`. */
export interface RunningWorker {
  events: EventEmitter<WorkerEvents>
  /** The worker takes over the buffers of `transfer`. A process takes no port. */
  post: (request: WorkerRequest, transfer: readonly (ArrayBuffer | MessagePort)[]) => void
  /** The processor time that it has used. @throws where the system does not say */
  processorMs: () => Promise<number>
  /** Resolves when it is gone. */
  end: () => Promise<void>
  ref: () => void
  unref: () => void
}

const outOfMemory = (message: string) =>
  Object.assign(new Error(message), { code: 'ERR_WORKER_OUT_OF_MEMORY' })

// A worker reads no setting. Its modules come from the server's compile cache: without it Node's TypeScript compiler takes 11 MB in
// each. The cache's own folder has one for each version of Node.
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}

function startThread({ program, heapMegabytes, youngHeapMegabytes }: Of<ThreadProgram>): RunningWorker {
  const worker = new Worker(program, {
    env: environment(),
    resourceLimits: {
      maxOldGenerationSizeMb: heapMegabytes,
      ...(youngHeapMegabytes !== undefined && { maxYoungGenerationSizeMb: youngHeapMegabytes }),
    },
  })
  const events = new EventEmitter<WorkerEvents>()
  let failure: Error | null = null
  worker.on('message', (answer: WorkerAnswer) => events.emit('message', answer))
  worker.on('error', (error: Error) => (failure = error))
  worker.on('exit', code =>
    events.emit('end', failure ?? new Error(`The worker ended with ${code} and said nothing`)),
  )
  return {
    events,
    post: (request, transfer) => worker.postMessage(request, [...transfer]),
    async processorMs() {
      const { user, system } = await worker.cpuUsage()
      return (user + system) / 1000
    },
    async end() {
      await worker.terminate()
    },
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  }
}

/** The signals of a process that has no more memory or a broken program. Those that stop a server are none of them. */
const FAULT_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGTRAP',
  'SIGILL',
  'SIGSEGV',
  'SIGBUS',
])
const MAX_SAID_CHARACTERS = 2000
/** Linux counts the time of a process in hundredths of a second. */
const MS_A_TICK = 10

/** The living processes, which end with the server. */
const processes = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of processes) child.kill('SIGKILL')
})

async function processorMsOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may have spaces: state, ten numbers, then the ticks of the program and of the system for it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK
}

function endOf(code: number | null, signal: NodeJS.Signals | null, said: string): Error {
  const message = `The worker ended with ${signal ?? code} and said ${said || 'nothing'}`
  return signal !== null && FAULT_SIGNALS.has(signal) ? outOfMemory(message) : new Error(message)
}

function startProcess({ program, heapMegabytes }: Of<ProcessProgram>): RunningWorker {
  const child = fork(fileURLToPath(program), [], {
    env: environment(),
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  processes.add(child)
  const events = new EventEmitter<WorkerEvents>()
  const handles = [child, child.channel, child.stderr as Socket | null]
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, MAX_SAID_CHARACTERS)
  })
  child.on('message', answer => events.emit('message', answer as WorkerAnswer))
  const gone = Promise.withResolvers<void>()
  const end = (error: Error) => {
    if (!processes.delete(child)) return
    events.emit('end', error)
    gone.resolve()
  }
  // It could not be started, ended or asked.
  child.on('error', error => {
    child.kill('SIGKILL')
    end(error)
  })
  child.on('close', (code, signal) => end(endOf(code, signal, said)))
  return {
    events,
    post(request, transfer) {
      child.send(request)
      for (const taken of transfer) if (taken instanceof ArrayBuffer) taken.transfer(0)
    },
    processorMs: () => processorMsOf(child.pid),
    end() {
      child.kill('SIGKILL')
      return gone.promise
    },
    ref: () => handles.forEach(each => each?.ref()),
    unref: () => handles.forEach(each => each?.unref()),
  }
}

export const startWorker = (program: WorkerProgram): RunningWorker =>
  program.runs === 'in a process' ? startProcess(program) : startThread(program)
