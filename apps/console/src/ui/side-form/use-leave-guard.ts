import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { sessionStore } from '../../platform/session.ts'
import { warnBeforeUnload } from '../../platform/unsaved.ts'

/** Asks before the user leaves the page or closes the tab while there are unsaved changes. */
export function useLeaveGuard(isUnsaved: boolean): {
  isWaiting: boolean
  proceed: () => void
  stay: () => void
} {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      // An ended session navigates without asking; `useSavedDraft` has the values.
      sessionStore.get().token !== null &&
      currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => (isUnsaved ? warnBeforeUnload() : undefined), [isUnsaved])
  return {
    isWaiting: blocker.state === 'blocked',
    proceed: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  }
}
