import { receiveFile } from '../../platform/download.ts'
import { saveFile } from '../../platform/download.ts'
import { currentTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { pauseFor } from '../../platform/pause.ts'
import { sessionStore } from '../../platform/session.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { toast } from '../../platform/toasts.ts'
import { warnBeforeUnload } from '../../platform/unsaved.ts'
import { receiveReport } from './receive-report.ts'

/** What is downloaded. */
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
