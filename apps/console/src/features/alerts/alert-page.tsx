import type { AlertCard } from '@floorcast/contract/alert-devices.ts'
import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { localDay } from '../../platform/local-day.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { useNow } from '../../platform/use-now.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ReportLink } from '../../ui/report-link.tsx'
import { alertFields, AlertStateBadge } from './alert-columns.tsx'
import { EndAlert } from './alert-dialogs.ts'
import { AlertDevices } from './alert-devices.tsx'
import { nameAlert, secondsOf } from './alert-words.ts'
import { alertQueries } from './alerts-data.ts'

/** One alert: what each device has done with it, live while it lasts. */
export function AlertPage() {
  const { t } = useTranslate()
  const { uid = '' } = useParams()
  const result = useQuery(alertQueries.card(uid))
  return (
    <DetailPage<AlertCard>
      result={result}
      name={alert => nameAlert(t, alert)}
      status={alert => <AlertStatus alert={alert} />}
      actions={alert => (
        <>
          <ReportLink to={reportOf(alert)} />
          <EndButton alert={alert} />
        </>
      )}
    >
      {alert => (
        <>
          <AlertFacts alert={alert} />
          <AlertDevices key={alert.uid} alert={alert} />
        </>
      )}
    </DetailPage>
  )
}

/** The report of the day on which the alert began, by the reader's clock: its rows are of the alerts that began in its period. */
function reportOf({ beganAt }: AlertCard): string {
  const day = localDay(beganAt)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return paths.report('alert2', { from: day, to: day, zone })
}

const secondMs = 1000

/** On or ended, and for how long it has lasted. */
function AlertStatus({ alert }: { alert: AlertCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const now = useNow(alert.endedAt === null ? secondMs : null)
  return (
    <>
      <AlertStateBadge alert={alert} t={t} />
      <span className="fc-figures">{format.span(secondsOf(alert, now))}</span>
    </>
  )
}

function AlertFacts({ alert }: { alert: AlertCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={alertFields(t, format)} card={alert} />
    </Panel>
  )
}

/** The question stays when somebody else ends the alert. */
function EndButton({ alert }: { alert: AlertCard }) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const [isAsking, setIsAsking] = useState(false)
  if (!mayChange) return null
  return (
    <>
      {alert.endedAt === null && (
        <Button
          color="red"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() => setIsAsking(true)}
        >
          {t('alerts:endNow')}
        </Button>
      )}
      {isAsking && <EndAlert alert={alert} onClose={() => setIsAsking(false)} />}
    </>
  )
}
