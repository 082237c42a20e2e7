import { importDevices } from '@floorcast/contract/device-import.ts'
import { useEffect, useRef, useState } from 'react'
import { change } from '../../platform/client.ts'
import { pauseFor } from '../../platform/pause.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { forgetImport, readSavedImport, saveImport, saveImportProgress } from './saved-import.ts'
import {
  noProgress,
  readRefusedLines,
  sendImport,
  type ImportJob,
  type ImportProgress,
  type RefusedLine,
} from './send-import.ts'

/** An import that was begun. */
export interface ImportRun {
  state: 'sending' | 'stopping' | 'stopped' | 'failed' | 'done'
  job: ImportJob
  progress: ImportProgress
  error: unknown
  /** The lines of the failed call that the server refused. */
  refused: ReadonlyMap<number, RefusedLine>
}

const nothingRefused: ImportRun['refused'] = new Map()

/** The import that a reload of the page has interrupted. */
function readInterrupted(): ImportRun | null {
  const saved = readSavedImport()
  return saved && { ...saved, state: 'stopped', error: null, refused: nothingRefused }
}

/** Runs an import: it can be stopped, and goes on after a stop, an error or a reload of the page. */
export function useImportRun() {
  const [run, setRun] = useState(readInterrupted)
  const stopper = useRef<AbortController | null>(null)
  const markStale = useMarkStale('device', 'group')
  useEffect(() => () => stopper.current?.abort(), [])

  const send = async (job: ImportJob, from: ImportProgress) => {
    const stop = new AbortController()
    stopper.current = stop
    let progress = from
    const show = (state: ImportRun['state'], more: Partial<ImportRun> = {}) =>
      setRun({ state, job, progress, error: null, refused: nothingRefused, ...more })
    saveImport(job, progress)
    show('sending')
    try {
      progress = await sendImport(job, from, {
        signal: stop.signal,
        send: body => change(importDevices, { params: { contentType: job.kind }, body }),
        pause: pauseFor,
        onProgress: next => {
          progress = next
          saveImportProgress(progress)
          show(stop.signal.aborted ? 'stopping' : 'sending')
        },
      })
      const isDone = progress.sent >= job.rows.length
      if (isDone) forgetImport()
      show(isDone ? 'done' : 'stopped')
    } catch (error) {
      show('failed', { error, refused: readRefusedLines(error, job, progress.sent) })
    }
    void markStale()
  }

  return {
    run,
    start: (job: ImportJob) => void send(job, noProgress),
    /** Goes on with the call that failed, or after the last one that was sent. */
    resume: (changed: Partial<Pick<ImportJob, 'rows' | 'existing' | 'leftOut'>> = {}) => {
      if (run) void send({ ...run.job, ...changed }, run.progress)
    },
    /** The call under way is finished first. */
    stop: () => {
      stopper.current?.abort()
      setRun(current => (current?.state === 'sending' ? { ...current, state: 'stopping' } : current))
    },
    reset: () => {
      forgetImport()
      setRun(null)
    },
  }
}
