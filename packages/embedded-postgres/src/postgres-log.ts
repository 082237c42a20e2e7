import { chmodSync, copyFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

/** When a log is full, and how often it is looked at. */
export interface LogLimit {
  maxBytes: number
  checkMs: number
}

const LIMIT: LogLimit = { maxBytes: 10_000_000, checkMs: 60_000 }

export const logFileOf = (dataDir: string) => join(dataDir, 'postgres.log')

/**
 * A full log becomes `postgres.log.1`. PostgreSQL keeps the file open and appends, so the file is copied and emptied: it goes on in
 * it. What PostgreSQL writes between the two is lost.
 */
export function rotateLog(logFile: string, { maxBytes } = LIMIT): void {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return
  try {
    copyFileSync(logFile, `${logFile}.1`)
    chmodSync(`${logFile}.1`, 0o600)
  } finally {
    // On a full disk above all.
    truncateSync(logFile)
  }
}

/** Rotates the log of a PostgreSQL that runs. @returns a function that ends it */
export function watchLog(dataDir: string, { isOurs, limit = LIMIT }: WatchOptions): () => void {
  const timer = setInterval(() => {
    try {
      if (isOurs()) rotateLog(logFileOf(dataDir), limit)
    } catch {
      // The disk may be full. The next check tries again.
    }
  }, limit.checkMs)
  timer.unref()
  return () => clearInterval(timer)
}

interface WatchOptions {
  /** Whether this process supervises PostgreSQL. */
  isOurs: () => boolean
  limit?: LogLimit | undefined
}
