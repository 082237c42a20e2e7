import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { beforeSignOut, watchUser } from '../../platform/browser-data.ts'
import { useLanguage } from '../../platform/i18n.ts'
import { findNewVersion } from '../../platform/new-version.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'

/** Without a movement of the pointer, what a page needs later is fetched after this time, before a server may go away. */
const fetchesAfterMs = 10_000
/** A new version is looked for, and what is stored is completed, at this interval, and when the window is shown again. */
const intervalMs = 10 * 60_000
const minIntervalMs = 60_000
/** A page that is never idle begins all the same. */
const maxBusyMs = 2000

/** Fetches what pages need later, stores the console for the time in which the server is away, and looks for new versions. */
export function useAppShell(): void {
  const { code } = useLanguage().language
  useEffect(watchUser, [])
  useEffect(() => {
    const stop = new AbortController()
    let kept: Promise<unknown> = Promise.resolve()
    let lookedAt = 0
    const look = async () => {
      if (Date.now() - lookedAt < minIntervalMs) return
      lookedAt = Date.now()
      await findNewVersion()
    }
    const keep = async () => {
      await fetchWaiting()
      await look()
      const part = await import('../../platform/app-shell.ts').catch(() => null)
      if (part && !stop.signal.aborted) kept = part.keepShell({ language: code, signal: stop.signal })
    }
    const onShown = () => void (document.visibilityState === 'visible' && look())
    const first = setTimeout(() => void keep(), fetchesAfterMs)
    const later = setInterval(() => void keep(), intervalMs)
    document.addEventListener('visibilitychange', onShown)
    const stopKeeping = () => {
      stop.abort()
      clearTimeout(first)
      clearInterval(later)
      document.removeEventListener('visibilitychange', onShown)
    }
    const stopSigningOut = beforeSignOut(async () => {
      stopKeeping()
      await kept
    })
    return () => {
      stopKeeping()
      stopSigningOut()
    }
  }, [code])
}

/** Keeps the last answers in this browser, after the first paint. */
export function useKnownAnswers(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const begin = async () => {
      const part = await import('../../platform/known-answers.ts').catch(() => null)
      if (!stop.signal.aborted) part?.keepAnswers(queries, stop.signal)
    }
    // Safari has none.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => void begin(), { timeout: maxBusyMs })
    else setTimeout(() => void begin(), 1)
    return () => stop.abort()
  }, [queries])
}

/** The session has ended: its answers go. */
export async function dropKnownAnswers(): Promise<void> {
  const part = await import('../../platform/known-answers.ts').catch(() => null)
  await part?.dropAnswers()
}
