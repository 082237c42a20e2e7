import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { createStore } from '../../platform/store.ts'
import type { SentFile } from './send-file.ts'

export type UploadState = 'waiting' | 'sending' | 'checking' | 'done' | 'refused' | 'failed' | 'cancelled'

/** One file on its way. Sizes in bytes, speed in bytes a second. */
export interface Upload {
  id: number
  file: File
  state: UploadState
  sent: number
  speed: number
  outcome: Outcome | null
  failure: unknown
}

/** Sends one file; told of progress; rejects with the platform's errors. */
export type SendFile = (
  file: File,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
) => Promise<SentFile>

interface Job {
  send: SendFile
  onDone: () => void
  stop: AbortController
}

const atOnce = 2
const jobs = new Map<number, Job>()
let lastId = 0

/** Every upload of this tab, newest last; they go on while pages change. */
export const uploads = createStore<readonly Upload[]>([])

/** Takes files into the queue; two are sent at a time. @param onDone called when one has arrived */
export function queueUploads(files: readonly File[], send: SendFile, onDone: () => void): void {
  const queued = files.map((file): Upload => {
    lastId += 1
    jobs.set(lastId, { send, onDone, stop: new AbortController() })
    return { id: lastId, file, state: 'waiting', sent: 0, speed: 0, outcome: null, failure: null }
  })
  uploads.set([...uploads.get(), ...queued])
  startNext()
}

export function cancelUpload(id: number): void {
  jobs.get(id)?.stop.abort()
  change(id, { state: 'cancelled' })
  startNext()
}

/** Sends a failed or cancelled file again, from its beginning. */
export function retryUpload(id: number): void {
  const job = jobs.get(id)
  if (!job) return
  jobs.set(id, { ...job, stop: new AbortController() })
  change(id, { state: 'waiting', sent: 0, speed: 0, failure: null })
  startNext()
}

/** Takes what has ended off the tray. */
export function clearEnded(): void {
  const left = uploads.get().filter(isUnderWay)
  for (const id of jobs.keys()) if (!left.some(upload => upload.id === id)) jobs.delete(id)
  uploads.set(left)
}

/** Takes what has arrived off the tray; what was refused stays until it is read. */
export function clearDone(): void {
  const left = uploads.get().filter(({ state }) => state !== 'done')
  for (const id of jobs.keys()) if (!left.some(upload => upload.id === id)) jobs.delete(id)
  uploads.set(left)
}

export function isUnderWay(upload: Upload): boolean {
  return upload.state === 'waiting' || upload.state === 'sending' || upload.state === 'checking'
}

function change(id: number, next: Partial<Upload>): void {
  uploads.set(uploads.get().map(upload => (upload.id === id ? { ...upload, ...next } : upload)))
}

function startNext(): void {
  const all = uploads.get()
  const free = atOnce - all.filter(({ state }) => state === 'sending' || state === 'checking').length
  for (const upload of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
    void sendOne(upload)
}

async function sendOne({ id, file }: Upload): Promise<void> {
  const job = jobs.get(id)
  if (!job) return
  change(id, { state: 'sending' })
  const startedMs = performance.now()
  const follow = (sent: number) => {
    const seconds = Math.max(0.2, (performance.now() - startedMs) / 1000)
    change(id, { sent, speed: sent / seconds, state: sent >= file.size ? 'checking' : 'sending' })
  }
  try {
    const { outcome } = await job.send(file, follow, job.stop.signal)
    const isDone = outcome.code === 200
    change(id, { state: isDone ? 'done' : 'refused', outcome, sent: file.size })
    if (isDone) job.onDone()
  } catch (failure) {
    if (!job.stop.signal.aborted) change(id, { state: 'failed', failure })
  } finally {
    startNext()
  }
}
