import { CallError } from '@floorcast/contract/client.ts'
import type { ReceivedFile } from '../../platform/download.ts'

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
