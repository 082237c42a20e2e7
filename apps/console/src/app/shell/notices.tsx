import { useWords } from '../../platform/i18n.ts'
import { Alert } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import styles from './shell.module.css'

function follow(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

/** What is true of every page at once: the browser is offline. */
export function Notices() {
  const { t } = useWords()
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine)
  if (isOnline) return null
  return (
    <div className={styles.notices}>
      <Alert
        color="amber"
        icon={<IconCloudOff size={20} aria-hidden />}
        role="status"
        title={t('offline.title')}
      >
        {t('offline.text')}
      </Alert>
    </div>
  )
}
