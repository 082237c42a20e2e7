import { useQuery } from '@tanstack/react-query'
import { useState, lazy, Suspense } from 'react'
import { useSearchParams, useLocation } from 'react-router'
import { openAlertsQuery } from '../../features/alerts/open-alerts-query.ts'
import { closeAlertStart, readAlertStart } from '../../platform/alert-address.ts'
import { loadWords } from '../../platform/i18n.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { loadPart } from '../../platform/load-part.ts'
import { closePublish, readPublishDevices, readPublishStart } from '../../platform/publish-address.ts'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'

const BeginAlert = onDemand(async () => {
  const [part] = await Promise.all([import('../../features/alerts/begin-alert.tsx'), loadWords('alerts')])
  return part.BeginAlert
})
/** Nobody has clicked, so no bar shows that it is loading. */
const OpenAlerts = onDemand(
  async () => {
    const [part] = await Promise.all([import('../../features/alerts/open-alerts.tsx'), loadWords('alerts')])
    return part.OpenAlerts
  },
  undefined,
  () => null,
)

/** The question for an alert, over any page whose address asks for it. */
export function AlertHost() {
  const [address, setAddress] = useSearchParams()
  const mayChange = useMayChange()
  const start = readAlertStart(address)
  if (start === null || !mayChange) return null
  const close = () => setAddress(closeAlertStart, { replace: true, preventScrollReset: true })
  return <BeginAlert key={start} start={start} onClose={close} />
}

/** The open alerts, above every page. A streamer hears them. */
export function AlertBanner() {
  const { role } = useSignedInUser()
  const { data = [] } = useQuery({ ...openAlertsQuery(), enabled: role !== 'streamer' })
  // The question whether to end the last one stays when somebody else ends it.
  const [isUsed, setIsUsed] = useState(false)
  if (data.length > 0 && !isUsed) setIsUsed(true)
  return isUsed && <OpenAlerts alerts={data} />
}

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
