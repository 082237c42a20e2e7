import { CallError } from '@floorcast/contract/client.ts'
import { receiveFile, saveFile, type ReceivedFile } from '../../platform/download.ts'
import { currentTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { pauseFor } from '../../platform/pause.ts'
import { sessionStore } from '../../platform/session.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { toast } from '../../platform/toasts.ts'
import { warnBeforeUnload } from '../../platform/unsaved.ts'

/** The file to download. */
export interface DownloadRequest {
  /** The path of the call, with its query. */
  path: string
  /** The report's name, for the user. */
  title: string
  /** Used where the server gives none. */
  fileName: string
}

/** The last download and how far it is. */
export type ReportDownload = { request: DownloadRequest; bytes: number } & (
  | { step: 'receiving' }
  | { step: 'waiting'; untilMs: number }
  | { step: 'failed'; error: unknown }
  | { step: 'saved'; fileName: string }
)

/** Outside the page, so that a download goes on while the user looks at other pages. */
const downloadStore = createStore<ReportDownload | null>(null)
let stop: AbortController | null = null

export const useReportDownload = () => useStore(downloadStore)

/** Ends the download: the connection closes, and the server ends the query. */
export function cancelDownload(): void {
  stop?.abort()
}

/** Forgets how the last download ended. */
export function dismissDownload(): void {
  if (!stop) downloadStore.set(null)
}

/** Downloads a report and saves it; ends when the user signs out. One at a time: does nothing while another runs. */
export async function startDownload(request: DownloadRequest): Promise<void> {
  if (stop) return
  const running = new AbortController()
  stop = running
  let bytes = 0
  const stopWarning = warnBeforeUnload()
  const { token } = sessionStore.get()
  const unsubscribe = sessionStore.subscribe(() => {
    if (sessionStore.get().token !== token) running.abort()
  })
  downloadStore.set({ request, bytes, step: 'receiving' })
  try {
    const file = await receiveReport({
      signal: running.signal,
      receive: onBytes => receiveFile(request.path, { signal: running.signal, onBytes }),
      onBytes: next => {
        bytes = next
        downloadStore.set({ request, bytes, step: 'receiving' })
      },
      onWait: seconds =>
        downloadStore.set({ request, bytes, step: 'waiting', untilMs: Date.now() + seconds * 1000 }),
      pause: async (seconds, signal) => {
        await pauseFor(seconds, signal)
        if (!signal.aborted) downloadStore.set({ request, bytes, step: 'receiving' })
      },
      nowMs: () => Date.now(),
    })
    const fileName = file.fileName ?? request.fileName
    saveFile(file.bytes, fileName)
    downloadStore.set({ request, bytes: file.bytes.size, step: 'saved', fileName })
    void toast('success', currentTranslate().t('reports:screen.saved', { name: fileName }))
  } catch (error) {
    downloadStore.set(running.signal.aborted ? null : { request, bytes, step: 'failed', error })
    if (!running.signal.aborted) toastFailure(error)
  } finally {
    stopWarning()
    unsubscribe()
    stop = null
  }
}

/** A server that is busy asks to come back this often before the user is told. */
const MAX_WAITS = 30
const WAIT_SECONDS = 5
const MAX_WAIT_SECONDS = 60
/** The bytes are shown at most this often. */
const SHOW_EVERY_MS = 200

export interface ReceiveSteps {
  signal: AbortSignal
  /** Fetches the file. @throws CallError; the abort of the signal */
  receive: (onBytes: (bytes: number) => void) => Promise<ReceivedFile>
  onBytes: (bytes: number) => void
  /** The server has no free slot; the next attempt is after the seconds. */
  onWait: (seconds: number) => void
  /** Resolves after the seconds, or when the signal aborts. */
  pause: (seconds: number, signal: AbortSignal) => Promise<void>
  nowMs: () => number
}

/** The server has no slot for another report, or starts again; nothing was sent yet. */
const isBusy = (error: unknown): error is CallError =>
  error instanceof CallError && [429, 502, 503, 504].includes(error.status)

/** Fetches a report until the server has a slot for it. @throws CallError; the abort of the signal */
export async function receiveReport(steps: ReceiveSteps): Promise<ReceivedFile> {
  const { signal, receive, onBytes, onWait, pause, nowMs } = steps
  for (let waits = 0; ; waits += 1)
    try {
      let shownAtMs = Number.NEGATIVE_INFINITY
      return await receive(bytes => {
        if (nowMs() - shownAtMs < SHOW_EVERY_MS) return
        shownAtMs = nowMs()
        onBytes(bytes)
      })
    } catch (error) {
      if (!isBusy(error) || waits >= MAX_WAITS) throw error
      const seconds = Math.min(MAX_WAIT_SECONDS, error.retryAfterSeconds ?? WAIT_SECONDS)
      onWait(seconds)
      await pause(seconds, signal)
      signal.throwIfAborted()
    }
}
