import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useDraftNews, type DraftNews } from './draft-news.ts'
import { sessionStore } from '../../platform/session.ts'
import { isDraftOf, saveDraft, readDraft, readLargeDraft } from './saved-draft.ts'
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
  /** The message of another tab about the draft: until it is answered, this tab saves nothing. */
  news: DraftNews | null
  change: (change: DraftChange) => void
  /** Deletes the saved draft: it has become a playlist of this uid. */
  finish: (uid: string | null) => void
  /** Deletes the saved draft: the user does not want it any more. */
  discard: () => void
  /** Takes the draft that the other tab has saved. */
  takeSaved: () => void
  /** Saves the draft of this tab over that of the other. */
  keepOwn: () => void
  /** Begins again after the other tab has finished. */
  beginAgain: () => void
}

interface DraftOrigin {
  /** Used when no draft is saved. */
  initial: WizardDraft
  saved: WizardDraft | null
}

/** Only the step differs: other tabs need not know. */
const isSameContent = (one: WizardDraft, other: WizardDraft) =>
  Object.entries(one).every(
    ([name, value]) => name === 'step' || name === 'reached' || other[name as keyof WizardDraft] === value,
  )

interface Saving {
  draft: WizardDraft
  initial: WizardDraft
  saved: WizardDraft | null
}

/** Saves the draft after each change until it is finished, and tells other tabs. */
function useSaving(key: string, { draft, initial, saved }: Saving) {
  const [isSaved, setIsSaved] = useState(true)
  const newest = useRef(draft)
  /** The draft that the browser has; undefined when it has to be written. */
  const stored = useRef<WizardDraft | null | undefined>(saved)
  const isFinished = useRef(false)
  const isOutdated = useRef(false)
  const { news, tell, clear } = useDraftNews(key)
  const save = useCallback(() => {
    // A change just before the end must not save a finished draft again.
    if (isFinished.current || isOutdated.current || newest.current === stored.current) return
    const { user, isInterrupted } = sessionStore.get()
    if (isInterrupted || !isDraftOf(key, user?.uid)) return
    const isNews = stored.current === undefined || !isSameContent(newest.current, stored.current ?? initial)
    stored.current = newest.current
    void saveDraft(key, newest.current === initial ? null : newest.current).then(wasSaved => {
      if (isFinished.current) return
      setIsSaved(wasSaved)
      if (isNews) tell({ kind: 'changed' })
    })
  }, [key, initial, tell])
  useEffect(() => {
    isOutdated.current = news !== null
  }, [news])
  useEffect(() => {
    newest.current = draft
    const timer = setTimeout(save, saveDelayMs)
    return () => clearTimeout(timer)
  }, [save, draft, news])
  useEffect(() => {
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('pagehide', save)
      save()
    }
  }, [save])
  const end = useCallback(
    (told: DraftNews) => {
      isFinished.current = true
      tell(told)
      void saveDraft(key, null)
      // The page is left next; the guard against leaving must see this state first.
      flushSync(() => setIsSaved(true))
    },
    [key, tell],
  )
  /** Takes what the browser has for known, and goes on saving; undefined: it has to be written. */
  const resume = (known: WizardDraft | null | undefined) => {
    stored.current = known
    clear()
  }
  return { isSaved, news, end, resume }
}

/** The draft, saved in this browser until it is finished. */
export function useDraft(key: string, { initial, saved }: DraftOrigin): DraftControl {
  const [draft, setDraft] = useState(saved ?? initial)
  const { isSaved, news, end, resume } = useSaving(key, { draft, initial, saved })
  const change = useCallback((next: DraftChange) => setDraft(next), [])
  const show = (shown: WizardDraft | null) => {
    resume(shown)
    setDraft(shown ?? initial)
  }
  const takeSaved = () => {
    const found = readDraft(key)
    // The tab stays at its step.
    const showHere = (other: WizardDraft | null) =>
      show(other && { ...other, step: draft.step, reached: Math.max(draft.reached, other.reached) })
    if (found === 'large') void readLargeDraft(key).then(showHere)
    else showHere(found)
  }
  return {
    draft,
    isSaved,
    news,
    change,
    finish: uid => end({ kind: 'finished', uid }),
    discard: () => end({ kind: 'changed' }),
    takeSaved,
    keepOwn: () => resume(undefined),
    beginAgain: () => show(null),
  }
}
