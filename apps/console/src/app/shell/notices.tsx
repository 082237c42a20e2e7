import { readInstallationState, type InstallationNotice } from '@floorcast/contract/installation.ts'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconCloudOff, IconInfoCircle, IconLock } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { callQuery } from '../../platform/call-query.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { readStored, writeStored } from '../../platform/storage.ts'
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

const dismissedKey = 'floorcast.notice'
/** A streamer has no change feed; others read again when it says so. */
const streamerIntervalMs = 60_000
/** Often enough for an end by the clock. */
const tickMs = 1000

/** What holds for all users at once, without what is over. */
function useInstallation() {
  const { role } = useSignedInUser()
  const refetchInterval = role === 'streamer' ? streamerIntervalMs : false
  const { data } = useQuery(callQuery(queryKeys.installation(), readInstallationState, { refetchInterval }))
  const [dismissed, setDismissed] = useState(() => readStored(dismissedKey))
  const { notice = null, readOnly = null } = data ?? {}
  const now = useNow(notice || readOnly?.until ? tickMs : minuteMs)
  const dismiss = (uid: string) => {
    writeStored(dismissedKey, uid)
    setDismissed(uid)
  }
  const isShown = notice !== null && notice.uid !== dismissed && Date.parse(notice.until) > now
  const isReadOnly = readOnly !== null && (readOnly.until === null || Date.parse(readOnly.until) > now)
  return { notice: isShown ? notice : null, readOnly: isReadOnly ? readOnly : null, dismiss }
}

/** What the operator tells all users. */
function OperatorNotice({ notice, onDismiss }: { notice: InstallationNotice; onDismiss: () => void }) {
  const { t } = useTranslate()
  const isWarning = notice.level === 'warning'
  const Icon = isWarning ? IconAlertTriangle : IconInfoCircle
  return (
    <Alert
      color={isWarning ? 'amber' : 'blue'}
      icon={<Icon size={20} aria-hidden />}
      role="status"
      title={t('shell:operatorNotice')}
      withCloseButton
      closeButtonLabel={t('shell:dismissNotice')}
      onClose={onDismiss}
    >
      <bdi style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{notice.text}</bdi>
    </Alert>
  )
}

/** Notices above every page: the operator's, the browser is offline, the server is away, the subscription has expired, a new version. */
export function Notices() {
  const { t } = useTranslate()
  const format = useFormat()
  const { subscriptionExpiresAt } = useSignedInUser()
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine)
  const isAnswered = useStore(serverAnswers)
  const asOf = useAnswersAsOf(!isOnline || !isAnswered)
  const { isWaiting, dismiss } = useWaitingVersion()
  const isExpired = Date.parse(subscriptionExpiresAt) <= useNow(minuteMs)
  const { notice, readOnly, dismiss: dismissNotice } = useInstallation()
  const away = isOnline && isAnswered && asOf === null ? null : describeAway(t, format, { isOnline, asOf })
  if (!away && !isExpired && !isWaiting && !notice && !readOnly) return null
  return (
    <div className={styles.notices}>
      {notice && <OperatorNotice notice={notice} onDismiss={() => dismissNotice(notice.uid)} />}
      {readOnly && (
        <Alert
          color="amber"
          icon={<IconLock size={20} aria-hidden />}
          role="status"
          title={t('shell:readOnly.title')}
        >
          {readOnly.until === null
            ? t('shell:readOnly.text')
            : t('shell:readOnly.until', { time: format.dateTime(readOnly.until) })}
        </Alert>
      )}
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
