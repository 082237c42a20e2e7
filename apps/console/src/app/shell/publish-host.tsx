import { lazy, Suspense } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { loadWords } from '../../platform/i18n.ts'
import { loadPart } from '../../platform/load-part.ts'
import { closePublish, readPublishDevices, readPublishStart } from '../../platform/publish-address.ts'
import { useMayChange } from '../../platform/session.ts'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'

const PublishSheet = lazy(() =>
  loadPart(async () => {
    const [part] = await Promise.all([
      import('../../features/publications/publish-sheet.tsx'),
      loadWords('deployments'),
    ])
    return { default: part.PublishSheet }
  }),
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
    <Suspense fallback={<LoadingBar />}>
      <PublishSheet
        key={location.key}
        start={start}
        chosen={readPublishDevices(location.state)}
        onClose={close}
      />
    </Suspense>
  )
}
