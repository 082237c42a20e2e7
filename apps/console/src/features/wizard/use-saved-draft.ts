import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { saveDraft, readDraft, readLargeDraft } from './saved-draft.ts'
import type { DraftChange, WizardDraft } from './wizard-draft.ts'

/** A draft of 5,000 tracks takes some milliseconds to write: too long for each key. */
const saveDelayMs = 400

/** The draft that this browser has saved under a key: undefined while it is read, null when there is none. */
export function useSavedDraft(key: string): WizardDraft | null | undefined {
  const [saved, setSaved] = useState(() => readDraft(key))
  const isLarge = saved === 'large'
  useEffect(() => {
    if (!isLarge) return
    let isUnmounted = false
    void readLargeDraft(key).then(draft => {
      if (!isUnmounted) setSaved(draft)
    })
    return () => {
      isUnmounted = true
    }
  }, [isLarge, key])
  return saved === 'large' ? undefined : saved
}

export interface DraftControl {
  draft: WizardDraft
  /** False when this browser has no room: the draft is lost when the page closes. */
  isSaved: boolean
  change: (change: DraftChange) => void
  /** Clears the draft and deletes the saved one. */
  startOver: () => void
  /** Deletes the saved draft: it has become a playlist. */
  finish: () => void
}

interface DraftOrigin {
  /** Used when no draft is saved. */
  initial: WizardDraft
  saved: WizardDraft | null
}

/** The draft, saved in this browser until it is finished. */
export function useDraft(key: string, { initial, saved }: DraftOrigin): DraftControl {
  const [draft, setDraft] = useState(saved ?? initial)
  const [isSaved, setIsSaved] = useState(true)
  const newest = useRef(draft)
  const isFinished = useRef(false)
  const save = useCallback(() => {
    // A change just before the end must not save a finished draft again.
    if (isFinished.current) return
    void saveDraft(key, newest.current === initial ? null : newest.current).then(wasSaved => {
      if (!isFinished.current) setIsSaved(wasSaved)
    })
  }, [key, initial])
  useEffect(() => {
    newest.current = draft
    const timer = setTimeout(save, saveDelayMs)
    return () => clearTimeout(timer)
  }, [save, draft])
  useEffect(() => {
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('pagehide', save)
      save()
    }
  }, [save])
  const change = useCallback((next: DraftChange) => setDraft(next), [])
  const startOver = useCallback(() => setDraft(initial), [initial])
  const finish = useCallback(() => {
    isFinished.current = true
    void saveDraft(key, null)
    // The page is left next; the guard against leaving must see this state first.
    flushSync(() => setIsSaved(true))
  }, [key])
  return { draft, isSaved: isSaved, change, startOver, finish }
}
