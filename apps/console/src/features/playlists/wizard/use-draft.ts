import { useCallback, useEffect, useRef, useState } from 'react'
import type { DraftChange, WizardDraft } from './wizard-draft.ts'
import { keepDraft, readDraft } from './wizard-memory.ts'

/** Five thousand tracks take some milliseconds to write: not at each key. */
const keptAfterMs = 400

export interface DraftControl {
  draft: WizardDraft
  change: (change: DraftChange) => void
  /** Forgets what was chosen and what was kept. */
  startOver: () => void
  /** The draft became a playlist: nothing is kept of it any more. */
  finish: () => void
}

/** The draft, kept in this browser until it is finished. @param initial what is there when none was kept */
export function useDraft(key: string, initial: WizardDraft): DraftControl {
  const [draft, setDraft] = useState(() => readDraft(key) ?? initial)
  const newest = useRef(draft)
  const isDone = useRef(false)
  const change = useCallback((next: DraftChange) => setDraft(next), [])
  useEffect(() => {
    newest.current = draft
    if (isDone.current) return
    const timer = setTimeout(() => keepDraft(key, draft === initial ? null : draft), keptAfterMs)
    return () => clearTimeout(timer)
  }, [key, initial, draft])
  useEffect(() => {
    const keep = () => {
      if (!isDone.current) keepDraft(key, newest.current === initial ? null : newest.current)
    }
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [key, initial])
  const startOver = useCallback(() => setDraft(initial), [initial])
  const finish = useCallback(() => {
    isDone.current = true
    keepDraft(key, null)
  }, [key])
  return { draft, change, startOver, finish }
}
