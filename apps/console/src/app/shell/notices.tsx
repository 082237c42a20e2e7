import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { useAnswersAsOf } from '../../platform/answer-age.ts'
import { serverAnswers } from '../../platform/change-feed.ts'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { newVersion } from '../../platform/new-version.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { useNow } from '../../platform/use-now.ts'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import styles from './shell.module.css'

const minuteMs = 60_000

function follow(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

const VersionBar = onDemand(async () => (await import('./shell-parts.tsx')).VersionBar)

/** The version that waits for the user, until 'Later': then the next one. */
function useWaitingVersion() {
  const version = useStore(newVersion)
  const [dismissed, setDismissed] = useState<string | null>(null)
  return { isWaiting: version !== null && version !== dismissed, dismiss: () => setDismissed(version) }
}

const isToday = (ms: number, now: number) => new Date(ms).toDateString() === new Date(now).toDateString()

interface Away {
  isOnline: boolean
  /** The time of the answers that the page shows; null: it has none. */
  asOf: number | null
}

/** Describes the page while the server is away. */
function describeAway(t: Translate, format: Format, { isOnline, asOf }: Away) {
  if (asOf === null)
    return {
      title: t(isOnline ? 'shell:offline.server' : 'shell:offline.title'),
      text: t('shell:offline.text'),
    }
  const instant = new Date(asOf).toISOString()
  const time = isToday(asOf, Date.now()) ? format.clock(instant) : format.dateTime(instant)
  return isOnline
    ? { title: t('shell:offline.asOf', { time }), text: t('shell:offline.text') }
    : { title: t('shell:offline.title'), text: t('shell:offline.asOfText', { time }) }
}

/** Notices above every page: the browser is offline, the server is away, the subscription has expired, a new version. */
export function Notices() {
  const { t } = useTranslate()
  const format = useFormat()
  const { subscriptionExpiresAt } = useSignedInUser()
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine)
  const isAnswered = useStore(serverAnswers)
  const asOf = useAnswersAsOf(!isOnline || !isAnswered)
  const { isWaiting, dismiss } = useWaitingVersion()
  const isExpired = Date.parse(subscriptionExpiresAt) <= useNow(minuteMs)
  const away = isOnline && isAnswered && asOf === null ? null : describeAway(t, format, { isOnline, asOf })
  if (!away && !isExpired && !isWaiting) return null
  return (
    <div className={styles.notices}>
      {isExpired && (
        <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} role="status">
          {t('shell:expired', { date: format.date(subscriptionExpiresAt) })}
        </Alert>
      )}
      {away && (
        <Alert color="amber" icon={<IconCloudOff size={20} aria-hidden />} role="status" title={away.title}>
          {away.text}
        </Alert>
      )}
      {isWaiting && <VersionBar onLater={dismiss} />}
    </div>
  )
}
