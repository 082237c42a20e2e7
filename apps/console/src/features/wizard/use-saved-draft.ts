import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { keepDraft, readDraft, readLargeDraft } from './saved-draft.ts'
import type { DraftChange, WizardDraft } from './wizard-draft.ts'

/** Five thousand tracks take some milliseconds to write: not at each key. */
const keptAfterMs = 400

/** What this browser kept under a key: undefined while it is being read, null when there is nothing. */
export function useKept(key: string): WizardDraft | null | undefined {
  const [kept, found] = useState(() => readDraft(key))
  const isLarge = kept === 'large'
  useEffect(() => {
    if (!isLarge) return
    let isGone = false
    void readLargeDraft(key).then(draft => {
      if (!isGone) found(draft)
    })
    return () => {
      isGone = true
    }
  }, [isLarge, key])
  return kept === 'large' ? undefined : kept
}

export interface DraftControl {
  draft: WizardDraft
  /** False when this browser had no room for it: it is gone with the page. */
  isKept: boolean
  change: (change: DraftChange) => void
  /** Forgets what was chosen and what was kept. */
  startOver: () => void
  /** The draft became a playlist: nothing is kept of it any more. */
  finish: () => void
}

interface Beginning {
  /** What there is when nothing was kept. */
  initial: WizardDraft
  kept: WizardDraft | null
}

/** The draft, kept in this browser until it is finished. */
export function useDraft(key: string, { initial, kept }: Beginning): DraftControl {
  const [draft, setDraft] = useState(kept ?? initial)
  const [isKept, tell] = useState(true)
  const newest = useRef(draft)
  const isDone = useRef(false)
  const keep = useCallback(() => {
    // What is finished is not kept anew by a change of a moment ago.
    if (isDone.current) return
    void keepDraft(key, newest.current === initial ? null : newest.current).then(wasKept => {
      if (!isDone.current) tell(wasKept)
    })
  }, [key, initial])
  useEffect(() => {
    newest.current = draft
    const timer = setTimeout(keep, keptAfterMs)
    return () => clearTimeout(timer)
  }, [keep, draft])
  useEffect(() => {
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [keep])
  const change = useCallback((next: DraftChange) => setDraft(next), [])
  const startOver = useCallback(() => setDraft(initial), [initial])
  const finish = useCallback(() => {
    isDone.current = true
    void keepDraft(key, null)
    // Nothing is lost by leaving now, which comes next: whoever guards it has to know before.
    flushSync(() => tell(true))
  }, [key])
  return { draft, isKept, change, startOver, finish }
}
