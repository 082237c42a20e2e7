import { CallError } from '@floorcast/contract/client.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { createStore } from '../../platform/store.ts'
import {
  fingerprintOf,
  forgetUpload,
  isBeingSent,
  readKept,
  type KeptUpload,
  type Told,
} from './kept-uploads.ts'
import { TusSending } from './tus-sending.ts'
import { askOffset, askOutcome, cancelKept } from './upload-calls.ts'

/** `lost` goes on by itself, `paused` when told to, `interrupted` (by a page that was closed) with the file chosen again. */
export type UploadState =
  | 'waiting'
  | 'sending'
  | 'lost'
  | 'checking'
  | 'paused'
  | 'interrupted'
  | 'done'
  | 'refused'
  | 'failed'
  | 'cancelled'

/** One file on its way. Sizes in bytes, speed in bytes a second. */
export interface Upload {
  id: number
  name: string
  size: number
  told: Told
  fingerprint: string
  state: UploadState
  sent: number
  speed: number
  outcome: Outcome | null
  failure: unknown
  /** Another file than the interrupted one was chosen. */
  isOther: boolean
}

/** What is behind a line: no file while it is interrupted. */
interface Job {
  file: File | null
  url: string | null
  sending: TusSending | null
  onDone: () => void
}

const atOnce = 2
const askAgainMs = 5000
const jobs = new Map<number, Job>()
let lastId = 0

/** Every upload of this tab, newest last; they go on while pages change. */
export const uploads = createStore<readonly Upload[]>([])

const begun = { sent: 0, speed: 0, outcome: null, failure: null, isOther: false }

function add(job: Job, upload: Pick<Upload, 'name' | 'size' | 'told' | 'fingerprint' | 'state'>): number {
  lastId += 1
  jobs.set(lastId, job)
  uploads.set([...uploads.get(), { ...begun, id: lastId, ...upload }])
  return lastId
}

/**
 * Takes files into the queue; two are sent at a time. A file that is on the tray already goes on there.
 * @param onDone called when one has arrived
 */
export function queueUploads(files: readonly File[], told: Told, onDone: () => void): void {
  for (const file of files) {
    const fingerprint = fingerprintOf(file, told)
    const same = uploads.get().find(upload => upload.fingerprint === fingerprint && !hasEnded(upload))
    if (same?.state === 'interrupted') goOnWith(same.id, file)
    if (same) continue
    const { name, size } = file
    add({ file, url: null, sending: null, onDone }, { name, size, told, fingerprint, state: 'waiting' })
  }
  startNext()
}

export function pauseUpload(id: number): void {
  jobs.get(id)?.sending?.stop()
  change(id, { state: 'paused', speed: 0 })
  startNext()
}

/** Goes on with a paused upload, or tries a failed, cancelled or refused one again. */
export function resumeUpload(id: number): void {
  const job = jobs.get(id)
  const upload = uploads.get().find(each => each.id === id)
  if (!job || !upload) return
  if (upload.state === 'cancelled') job.sending = null
  const isAnew = upload.state === 'cancelled' || upload.state === 'refused'
  change(id, { state: 'waiting', failure: null, outcome: null, ...(isAnew ? { sent: 0 } : {}) })
  startNext()
}

/** Goes on with an interrupted upload, if this is the file that it began with. */
export function goOnWith(id: number, file: File): void {
  const job = jobs.get(id)
  const upload = uploads.get().find(each => each.id === id)
  if (!job || !upload) return
  if (fingerprintOf(file, upload.told) !== upload.fingerprint) return change(id, { isOther: true })
  job.file = file
  change(id, { state: 'waiting', isOther: false })
  startNext()
}

/** Stops an upload for good: the server forgets what it got. */
export function cancelUpload(id: number): void {
  const job = jobs.get(id)
  const upload = uploads.get().find(each => each.id === id)
  if (!job || !upload) return
  if (upload.state === 'interrupted') {
    forgetUpload(upload.fingerprint)
    if (job.url) cancelKept(job.url)
    return remove(each => each.id === id)
  }
  job.sending?.cancel()
  change(id, { state: 'cancelled' })
  startNext()
}

/** Takes what has ended off the tray. */
export const clearEnded = (): void => remove(hasEnded)

/** Takes what has arrived off the tray; what was refused stays until it is read. */
export const clearDone = (): void => remove(({ state }) => state === 'done')

/** Stops everything and empties the tray, when another user signs in; each finds their own again. */
export function leaveUploads(): void {
  for (const { sending } of jobs.values()) sending?.stop()
  remove(() => true)
}

/** Shows what a page that was closed left unfinished, with how far the server got. */
export async function showInterrupted(signal: AbortSignal): Promise<void> {
  for (const kept of readKept()) {
    const isShown = () => uploads.get().some(({ fingerprint }) => fingerprint === kept.fingerprint)
    if (isShown() || (await isBeingSent(kept.fingerprint))) continue
    const sent = await askUntilAnswered(kept, signal)
    if (signal.aborted || sent === null || isShown()) continue
    const { url, name, size, told, fingerprint } = kept
    const id = add(
      { file: null, url, sending: null, onDone: () => {} },
      { name, size, told, fingerprint, state: 'interrupted' },
    )
    change(id, { sent })
    if (sent === size) await showEnd(id, kept)
  }
}

/** Null where the server does not know it any more. */
async function askUntilAnswered(
  { url, fingerprint }: KeptUpload,
  signal: AbortSignal,
): Promise<number | null> {
  for (;;) {
    try {
      return await askOffset(url)
    } catch (failure) {
      const status = failure instanceof CallError ? failure.status : 0
      if (status === 404 || status === 410) forgetUpload(fingerprint)
      if (signal.aborted || (status >= 400 && status < 500 && status !== 423)) return null
      await new Promise(resolve => setTimeout(resolve, askAgainMs))
    }
  }
}

/** All bytes had come before the page was closed: nothing but the outcome is missing. */
async function showEnd(id: number, { url, size, fingerprint }: KeptUpload): Promise<void> {
  change(id, { state: 'checking' })
  try {
    const outcome = await askOutcome(url, size)
    change(id, { state: outcome.code === 200 ? 'done' : 'refused', outcome })
    forgetUpload(fingerprint)
  } catch (failure) {
    change(id, { state: 'failed', failure })
  }
}

const isRunning = ({ state }: Upload) => state === 'sending' || state === 'checking' || state === 'lost'
export const isUnderWay = (upload: Upload): boolean => upload.state === 'waiting' || isRunning(upload)
export const isOnHold = ({ state }: Upload): boolean => state === 'paused' || state === 'interrupted'
const hasEnded = (upload: Upload) => !isUnderWay(upload) && !isOnHold(upload)

function remove(isMeant: (upload: Upload) => boolean): void {
  const left = uploads.get().filter(upload => !isMeant(upload))
  for (const id of jobs.keys()) if (!left.some(upload => upload.id === id)) jobs.delete(id)
  uploads.set(left)
}

function change(id: number, next: Partial<Upload>): void {
  uploads.set(uploads.get().map(upload => (upload.id === id ? { ...upload, ...next } : upload)))
}

function startNext(): void {
  const all = uploads.get()
  const free = atOnce - all.filter(isRunning).length
  for (const upload of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
    startOne(upload)
}

function startOne({ id, size, told }: Upload): void {
  const job = jobs.get(id)
  if (!job?.file) return
  change(id, { state: 'sending', speed: 0 })
  job.sending ??= new TusSending(job.file, told, followUpload(id, size))
  void job.sending.go()
}

/** What a sending says, shown on its line. */
function followUpload(id: number, size: number) {
  let from: { sent: number; atMs: number } | null = null
  const end = (next: Partial<Upload>) => {
    change(id, next)
    startNext()
  }
  return {
    onProgress: (sent: number) => {
      if (!from || sent < from.sent) from = { sent, atMs: performance.now() }
      const seconds = Math.max(0.2, (performance.now() - from.atMs) / 1000)
      change(id, { sent, speed: (sent - from.sent) / seconds, state: sent >= size ? 'checking' : 'sending' })
    },
    onLost: () => {
      from = null
      change(id, { state: 'lost', speed: 0 })
    },
    onEnd: (outcome: Outcome) => {
      const isDone = outcome.code === 200
      end({ state: isDone ? 'done' : 'refused', outcome, ...(isDone ? { sent: size } : {}) })
      if (isDone) jobs.get(id)?.onDone()
    },
    onFailure: (failure: unknown) => end({ state: 'failed', failure }),
  }
}
