import { lazy, Suspense } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { loadPart } from '../../platform/load-part.ts'
import { closePublish, readPublishDevices, readPublishStart } from '../../platform/publish-address.ts'
import { useMayChange } from '../../platform/session.ts'
import { ProgressBar } from './page-progress.tsx'

const PublishSheet = lazy(() =>
  loadPart(async () => ({
    default: (await import('../../features/publications/publish-sheet.tsx')).PublishSheet,
  })),
)

/** The Publish sheet, over any page whose address asks for it. */
export function PublishHost() {
  const [address, setAddress] = useSearchParams()
  const location = useLocation()
  const mayChange = useMayChange()
  const start = readPublishStart(address)
  if (start === null || !mayChange) return null
  const close = () => setAddress(closePublish, { replace: true, preventScrollReset: true })
  return (
    <Suspense fallback={<ProgressBar />}>
      <PublishSheet
        key={location.key}
        start={start}
        chosen={readPublishDevices(location.state)}
        onClose={close}
      />
    </Suspense>
  )
}
