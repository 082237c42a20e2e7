import { useEffect, useState } from 'react'
import { useMayChange, useSession } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { onDemand } from '../overlay/on-demand.tsx'
import { restoreUploads, stopUploads, uploads } from './upload-store.ts'

const UploadPanel = onDemand(async () => (await import('./upload-panel.tsx')).UploadPanel)

/** The place of the uploads, over every page. */
export function UploadTray() {
  const hasUploads = useStore(uploads).length > 0
  const [isUsed, setIsUsed] = useState(hasUploads)
  useUserUploads()
  if (hasUploads && !isUsed) setIsUsed(true)
  return isUsed && <UploadPanel />
}

/** Shows the signed-in user's unfinished uploads of this browser. */
function useUserUploads(): void {
  const userUid = useSession().user?.uid
  const mayChange = useMayChange()
  useEffect(() => {
    if (!userUid || !mayChange) return
    const leaving = new AbortController()
    void restoreUploads(leaving.signal)
    return () => {
      leaving.abort()
      stopUploads()
    }
  }, [userUid, mayChange])
}
