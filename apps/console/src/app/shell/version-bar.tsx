import { Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { hasUnsaved, reloadAnyway } from '../../platform/unsaved.ts'
import { UnsavedDialog } from '../../ui/side-form/unsaved-dialog.tsx'
import styles from './version-bar.module.css'

/** Says that the server has a newer console, which comes when the user reloads, and only then. */
export function VersionBar({ onLater }: { onLater: () => void }) {
  const { t } = useTranslate()
  const [isAsking, setIsAsking] = useState(false)
  const reload = () => (hasUnsaved() ? setIsAsking(true) : location.reload())
  return (
    <div className={styles.bar} role="status">
      <IconRefresh size={20} aria-hidden className={styles.icon} />
      <Text size="sm" className={styles.text}>
        {t('shell:newVersion.text')}
      </Text>
      <div className={styles.buttons}>
        <Button size="xs" variant="default" onClick={reload}>
          {t('shell:newVersion.reload')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onLater}>
          {t('shell:newVersion.later')}
        </Button>
      </div>
      {isAsking && <UnsavedDialog onDiscard={reloadAnyway} onStay={() => setIsAsking(false)} />}
    </div>
  )
}
