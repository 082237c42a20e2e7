import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { sessionStore } from '../../platform/session.ts'

/** Holds back a change of page, and warns before the tab closes, while something is not saved. */
export function useLeaveGuard(isUnsaved: boolean): {
  isWaiting: boolean
  proceed: () => void
  stay: () => void
} {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      // A session that has ended leads away by itself; the draft is kept.
      sessionStore.get().token !== null &&
      currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  return {
    isWaiting: blocker.state === 'blocked',
    proceed: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  }
}
