import { CallError } from '@floorcast/contract/client.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { loadPart } from '../../platform/load-part.ts'
import { createStore } from '../../platform/store.ts'
import { fetchLater } from '../overlay/on-demand.tsx'
import {
  fingerprintFile,
  removeSavedUpload,
  isLocked,
  lockUpload,
  readSavedUploads,
  saveWaiting,
  type SavedUpload,
  type UploadTarget,
} from './saved-uploads.ts'
import type { TusUpload } from './tus-upload.ts'
import { fetchOffset, fetchOutcome, deleteUpload } from './upload-calls.ts'

/**
 * `lost` retries, `paused` waits for the user, `interrupted` (its page was closed) waits for the user to choose the
 * file again.
 */
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

/** An upload of one file. Sizes in bytes, speed in bytes a second. */
export interface Upload {
  id: number
  name: string
  size: number
  target: UploadTarget
  fingerprint: string
  state: UploadState
  sent: number
  speed: number
  outcome: Outcome | null
  failure: unknown
  /** The user chose another file than the interrupted one. */
  isOther: boolean
}

/** The work behind an upload; without a file while it is interrupted. */
interface Job {
  file: File | null
  url: string | null
  tus: TusUpload | null
  /** The newest start: an older one may still wait for the code. */
  start: symbol | null
  onDone: () => void
  /** Other tabs show the file again. */
  unlock: () => void
}

const maxConcurrent = 2
const retryOffsetMs = 5000
const jobs = new Map<number, Job>()
/** The sender is not part of a page's first view. */
const loadSender = () => import('./tus-upload.ts')
fetchLater(loadSender)
let lastId = 0

/** All uploads of this tab, newest last. They continue when the page changes. */
export const uploads = createStore<readonly Upload[]>([])

const initialProgress = { sent: 0, speed: 0, outcome: null, failure: null, isOther: false }

function add(job: Job, upload: Pick<Upload, 'name' | 'size' | 'target' | 'fingerprint' | 'state'>): number {
  lastId += 1
  jobs.set(lastId, job)
  uploads.set([...uploads.get(), { ...initialProgress, id: lastId, ...upload }])
  return lastId
}

/**
 * Queues files; two are sent at a time. A file that is already in the tray continues there.
 * @param onDone called after each upload
 */
export function queueUploads(files: readonly File[], target: UploadTarget, onDone: () => void): void {
  for (const file of files) {
    const fingerprint = fingerprintFile(file, target)
    const same = uploads.get().find(upload => upload.fingerprint === fingerprint && !hasEnded(upload))
    if (same?.state === 'interrupted') resumeWithFile(same.id, file)
    if (same) continue
    const { name, size } = file
    saveWaiting(file, target)
    const unlock = lockUpload(fingerprint, 'shown')
    add(
      { file, url: null, tus: null, start: null, onDone, unlock },
      { name, size, target, fingerprint, state: 'waiting' },
    )
  }
  startNext()
}

export function pauseUpload(id: number): void {
  jobs.get(id)?.tus?.stop()
  update(id, { state: 'paused', speed: 0 })
  startNext()
}

/** Resumes a paused upload, or retries a failed, cancelled or refused one. */
export function resumeUpload(id: number): void {
  const job = jobs.get(id)
  const upload = uploads.get().find(each => each.id === id)
  if (!job || !upload) return
  if (upload.state === 'cancelled') job.tus = null
  const isRestart = upload.state === 'cancelled' || upload.state === 'refused'
  update(id, { state: 'waiting', failure: null, outcome: null, ...(isRestart ? { sent: 0 } : {}) })
  startNext()
}

/** Resumes an interrupted upload if the file is the same. */
export function resumeWithFile(id: number, file: File): void {
  const job = jobs.get(id)
  const upload = uploads.get().find(each => each.id === id)
  if (!job || !upload) return
  if (fingerprintFile(file, upload.target) !== upload.fingerprint) return update(id, { isOther: true })
  job.file = file
  update(id, { state: 'waiting', isOther: false })
  startNext()
}

/** Stops an upload and deletes its bytes on the server. */
export function cancelUpload(id: number): void {
  const job = jobs.get(id)
  const upload = uploads.get().find(each => each.id === id)
  if (!job || !upload) return
  if (upload.state === 'interrupted') {
    removeSavedUpload(upload.fingerprint)
    if (job.url) deleteUpload(job.url)
    return remove(each => each.id === id)
  }
  job.tus?.cancel()
  removeSavedUpload(upload.fingerprint)
  update(id, { state: 'cancelled' })
  startNext()
}

/** Removes ended uploads from the tray. */
export const removeEnded = (): void => remove(hasEnded)

/** Removes successful uploads from the tray; refused ones stay until the user has read them. */
export const removeDone = (): void => remove(({ state }) => state === 'done')

/** Stops all uploads and empties the tray when another user signs in. `restoreUploads` shows each user their own. */
export function stopUploads(): void {
  for (const { tus } of jobs.values()) tus?.stop()
  remove(() => true)
}

/** Shows the uploads that a closed page left unfinished, with the bytes that the server has. */
export async function restoreUploads(signal: AbortSignal): Promise<void> {
  for (const saved of readSavedUploads()) {
    const isShown = () => uploads.get().some(({ fingerprint }) => fingerprint === saved.fingerprint)
    if (isShown() || (await isLocked(saved.fingerprint, 'sending'))) continue
    if (await isLocked(saved.fingerprint, 'shown')) continue
    const sent = await fetchOffsetWithRetry(saved, signal)
    if (signal.aborted || sent === null || isShown()) continue
    const { url, name, size, target, fingerprint } = saved
    const id = add(
      { file: null, url, tus: null, start: null, onDone: () => {}, unlock: () => {} },
      { name, size, target, fingerprint, state: 'interrupted' },
    )
    update(id, { sent })
    if (url !== null && sent === size) await showOutcome(id, url, saved)
  }
}

/** Retries until the server answers. Null when it does not have the upload. */
async function fetchOffsetWithRetry(
  { url, fingerprint }: SavedUpload,
  signal: AbortSignal,
): Promise<number | null> {
  if (url === null) return 0
  for (;;) {
    try {
      return await fetchOffset(url)
    } catch (failure) {
      const status = failure instanceof CallError ? failure.status : 0
      if (status === 404 || status === 410) removeSavedUpload(fingerprint)
      if (signal.aborted || (status >= 400 && status < 500 && status !== 423)) return null
      await new Promise(resolve => setTimeout(resolve, retryOffsetMs))
    }
  }
}

/** All bytes arrived before the page was closed; only the outcome is missing. */
async function showOutcome(id: number, url: string, { size, fingerprint }: SavedUpload): Promise<void> {
  update(id, { state: 'checking' })
  try {
    const outcome = await fetchOutcome(url, size)
    update(id, { state: outcome.code === 200 ? 'done' : 'refused', outcome })
    removeSavedUpload(fingerprint)
  } catch (failure) {
    update(id, { state: 'failed', failure })
  }
}

const isRunning = ({ state }: Upload) => state === 'sending' || state === 'checking' || state === 'lost'
export const isActive = (upload: Upload): boolean => upload.state === 'waiting' || isRunning(upload)
export const isPaused = ({ state }: Upload): boolean => state === 'paused' || state === 'interrupted'
/** Its file is not on the server, and the user has to learn why. */
export const isRefused = ({ state }: Upload): boolean => state === 'refused' || state === 'failed'
const hasEnded = (upload: Upload) => !isActive(upload) && !isPaused(upload)

function remove(isRemoved: (upload: Upload) => boolean): void {
  const left = uploads.get().filter(upload => !isRemoved(upload))
  for (const [id, { unlock }] of jobs) {
    if (left.some(upload => upload.id === id)) continue
    unlock()
    jobs.delete(id)
  }
  uploads.set(left)
}

function update(id: number, next: Partial<Upload>): void {
  uploads.set(uploads.get().map(upload => (upload.id === id ? { ...upload, ...next } : upload)))
}

function startNext(): void {
  const all = uploads.get()
  const free = maxConcurrent - all.filter(isRunning).length
  for (const upload of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
    startOne(upload)
}

function startOne({ id, size, target, fingerprint }: Upload): void {
  const job = jobs.get(id)
  if (!job?.file) return
  update(id, { state: 'sending', speed: 0 })
  void send(job, job.file, { id, size, target, fingerprint })
}

async function send(
  job: Job,
  file: File,
  { target, ...upload }: Pick<Upload, 'id' | 'size' | 'target' | 'fingerprint'>,
): Promise<void> {
  const start = Symbol('start')
  job.start = start
  const events = uploadEvents(upload)
  try {
    const sender = await loadPart(loadSender)
    // Paused, cancelled or started again meanwhile.
    const isWanted = uploads.get().some(({ id, state }) => id === upload.id && state === 'sending')
    if (!isWanted || job.start !== start) return
    job.tus ??= new sender.TusUpload(file, target, events)
    void job.tus.start()
  } catch (failure) {
    events.onFailure(failure)
  }
}

/** Updates an upload by the events of its transfer. */
function uploadEvents({ id, size, fingerprint }: Pick<Upload, 'id' | 'size' | 'fingerprint'>) {
  let from: { sent: number; atMs: number } | null = null
  const end = (next: Partial<Upload>) => {
    update(id, next)
    startNext()
  }
  return {
    onProgress: (sent: number) => {
      if (!from || sent < from.sent) from = { sent, atMs: performance.now() }
      const seconds = Math.max(0.2, (performance.now() - from.atMs) / 1000)
      update(id, { sent, speed: (sent - from.sent) / seconds, state: sent >= size ? 'checking' : 'sending' })
    },
    onLost: () => {
      from = null
      update(id, { state: 'lost', speed: 0 })
    },
    onEnd: (outcome: Outcome) => {
      removeSavedUpload(fingerprint)
      const isDone = outcome.code === 200
      end({ state: isDone ? 'done' : 'refused', outcome, ...(isDone ? { sent: size } : {}) })
      if (isDone) jobs.get(id)?.onDone()
    },
    onFailure: (failure: unknown) => end({ state: 'failed', failure }),
  }
}
