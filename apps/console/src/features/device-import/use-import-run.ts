import { importDevices } from '@floorcast/contract/device-import.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { useEffect, useRef, useState } from 'react'
import { change } from '../../platform/client.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import {
  noProgress,
  readRefusedLines,
  sendImport,
  type ImportJob,
  type ImportProgress,
} from './send-import.ts'

/** An import that was begun. */
export interface ImportRun {
  state: 'sending' | 'stopped' | 'failed' | 'done'
  job: ImportJob
  progress: ImportProgress
  error: unknown
  /** The lines of the failed call that the server refused, with its messages. */
  refused: ReadonlyMap<number, string>
}

const pause = (seconds: number) => new Promise<void>(resolve => setTimeout(resolve, seconds * 1000))
const nothingRefused: ReadonlyMap<number, string> = new Map()

/** Runs an import: it can be stopped, and goes on after a stop or an error. */
export function useImportRun(kind: Kind) {
  const [run, setRun] = useState<ImportRun | null>(null)
  const stopper = useRef<AbortController | null>(null)
  const markStale = useMarkStale('group')
  useEffect(() => () => stopper.current?.abort(), [])

  const send = async (job: ImportJob, from: ImportProgress) => {
    const stop = new AbortController()
    stopper.current = stop
    let progress = from
    const show = (state: ImportRun['state'], more: Partial<ImportRun> = {}) =>
      setRun({ state, job, progress, error: null, refused: nothingRefused, ...more })
    show('sending')
    try {
      progress = await sendImport(job, from, {
        signal: stop.signal,
        send: body => change(importDevices, { params: { contentType: kind }, body }),
        pause,
        onProgress: next => {
          progress = next
          show('sending')
        },
      })
      show(progress.sent < job.rows.length ? 'stopped' : 'done')
    } catch (error) {
      show('failed', { error, refused: readRefusedLines(error, job, progress.sent) })
    }
    void markStale()
  }

  return {
    run,
    start: (job: ImportJob) => void send(job, noProgress),
    /** Goes on with the call that failed, or after the last one that was sent. */
    resume: (changed: Partial<Pick<ImportJob, 'rows' | 'existing'>> = {}) => {
      if (run) void send({ ...run.job, ...changed }, run.progress)
    },
    stop: () => stopper.current?.abort(),
    reset: () => setRun(null),
  }
}
