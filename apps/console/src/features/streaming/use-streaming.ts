import { useEffect, useState } from 'react'
import { beforeSignOut } from '../../platform/player-data.ts'
import { sessionStore } from '../../platform/session.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { hasNewVersion, keepShell } from './offline-shell.ts'
import { Streaming } from './streaming.ts'

/** Later files, such as those of another language, are stored at this interval, and a new version is looked for. */
const SHELL_INTERVAL_MS = 10 * 60_000

/** The player of this window. It plays on while its user looks at another page. */
const current = createStore<Streaming | null>(null)
const isUnsupported = createStore(false)
const newVersion = createStore(false)
let starting: Promise<void> | undefined

async function startStreaming(deviceUid: string): Promise<void> {
  try {
    const streaming = await Streaming.start(deviceUid)
    current.set(streaming)
    const stopSigningOut = beforeSignOut(() => end({ isLeaving: true }))
    const stopWatching = sessionStore.subscribe(() => {
      if (sessionStore.get().token === null) void end({ isLeaving: false })
    })
    const keep = async () => {
      // Menus and dialogs are needed without the network, too.
      await fetchWaiting()
      await keepShell().catch(() => undefined)
      newVersion.set(await hasNewVersion())
    }
    let kept = keep()
    const keeping = setInterval(() => (kept = keep()), SHELL_INTERVAL_MS)
    const end = async (how: { isLeaving: boolean }) => {
      if (current.get() !== streaming) return
      current.set(null)
      starting = undefined
      stopSigningOut()
      stopWatching()
      clearInterval(keeping)
      await Promise.all([kept, streaming.stop(how)])
    }
  } catch {
    isUnsupported.set(true)
  }
}

/** Starts the player once, and returns it when it has started. */
export function useStreaming(deviceUid: string): {
  streaming: Streaming | null
  isUnsupported: boolean
  hasNewVersion: boolean
} {
  useEffect(() => {
    starting ??= startStreaming(deviceUid)
  }, [deviceUid])
  return {
    streaming: useStore(current),
    isUnsupported: useStore(isUnsupported),
    hasNewVersion: useStore(newVersion),
  }
}

/** Keeps the screen on while the page is shown, where the browser can. */
export function useWakeLock(): void {
  const [isVisible, setIsVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const follow = () => setIsVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [])
  useEffect(() => {
    if (!isVisible || !('wakeLock' in navigator)) return
    const lock = navigator.wakeLock.request('screen').catch(() => null)
    return () => void lock.then(held => held?.release())
  }, [isVisible])
}
