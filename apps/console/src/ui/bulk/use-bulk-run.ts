import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { useRef, useState } from 'react'
import { runBulk, type BulkItems, type FailedItem } from './bulk-calls.ts'

/** How far a bulk action is. `ended`: it is over, or the user has stopped it. */
export interface BulkRun {
  state: 'ready' | 'running' | 'ended'
  done: readonly string[]
  failed: readonly FailedItem[]
  /** Why it ended early: no answer, or an ended session. */
  error: unknown
  isStopped: boolean
}

const ready: BulkRun = { state: 'ready', done: [], failed: [], error: null, isStopped: false }

/** Runs an action on the items of a selection, call by call. What a call has changed stays changed when the next one fails. */
export function useBulkRun<Filter>(run: (items: BulkItems<Filter>) => Promise<Outcome>) {
  const [progress, setProgress] = useState(ready)
  const isStopped = useRef(false)
  const start = async (items: readonly BulkItems<Filter>[]): Promise<BulkRun> => {
    isStopped.current = false
    const sum = { done: [] as string[], failed: [] as FailedItem[] }
    let error: unknown = null
    setProgress({ ...ready, state: 'running' })
    try {
      for await (const { done = [], failed = [] } of runBulk(items, run)) {
        sum.done.push(...done)
        sum.failed.push(...failed)
        setProgress({ ...ready, ...sum, state: 'running' })
        if (isStopped.current) break
      }
    } catch (failure) {
      error = failure
    }
    const ended: BulkRun = { ...sum, state: 'ended', error, isStopped: isStopped.current }
    setProgress(ended)
    return ended
  }
  return { progress, start, stop: () => (isStopped.current = true) }
}
