import { useEffect, useState } from 'react'
import { beforeSignOut } from '../../platform/browser-data.ts'
import { sessionStore } from '../../platform/session.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { Streaming } from './streaming.ts'

/** The player of this window. It plays on while its user looks at another page. */
const current = createStore<Streaming | null>(null)
const isUnsupported = createStore(false)
let starting: Promise<void> | undefined

async function startStreaming(deviceUid: string): Promise<void> {
  try {
    const streaming = await Streaming.start(deviceUid)
    current.set(streaming)
    const stopSigningOut = beforeSignOut(() => end({ isLeaving: true }))
    const stopWatching = sessionStore.subscribe(() => {
      if (sessionStore.get().token === null) void end({ isLeaving: false })
    })
    const end = async (how: { isLeaving: boolean }) => {
      if (current.get() !== streaming) return
      current.set(null)
      starting = undefined
      stopSigningOut()
      stopWatching()
      await streaming.stop(how)
    }
  } catch {
    isUnsupported.set(true)
  }
}

/** Starts the player once, and returns it when it has started. */
export function useStreaming(deviceUid: string): {
  streaming: Streaming | null
  isUnsupported: boolean
} {
  useEffect(() => {
    starting ??= startStreaming(deviceUid)
  }, [deviceUid])
  return {
    streaming: useStore(current),
    isUnsupported: useStore(isUnsupported),
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
