import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { serverAnswers } from '../../platform/change-feed.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { useNow } from '../../platform/use-now.ts'
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
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

/** Notices above every page: the browser is offline, the subscription has expired. */
export function Notices() {
  const { t } = useTranslate()
  const format = useFormat()
  const { subscriptionExpiresAt } = useSignedInUser()
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine)
  const isAnswered = useStore(serverAnswers)
  const isExpired = Date.parse(subscriptionExpiresAt) <= useNow(minuteMs)
  if (isOnline && isAnswered && !isExpired) return null
  return (
    <div className={styles.notices}>
      {isExpired && (
        <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} role="status">
          {t('shell:expired', { date: format.date(subscriptionExpiresAt) })}
        </Alert>
      )}
      {(!isOnline || !isAnswered) && (
        <Alert
          color="amber"
          icon={<IconCloudOff size={20} aria-hidden />}
          role="status"
          title={t(isOnline ? 'shell:offline.server' : 'shell:offline.title')}
        >
          {t('shell:offline.text')}
        </Alert>
      )}
    </div>
  )
}
