import { useTranslate } from '../platform/i18n.ts'
import { Button, Stack, Text, Title } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { describeReading, isFinal, isUnanswered } from '../platform/outcomes.ts'
import { Link } from 'react-router'
import { homeOf } from '../platform/paths.ts'
import { useSession } from '../platform/session.ts'
import styles from './panels.module.css'

interface ErrorPanelProps {
  error: unknown
  retry: () => void
  /** It is all that the page shows, so it leads on. */
  isPage?: boolean
}

/** Shows why a part of the page could not be loaded and nothing of it is known, with a retry button where that can help. */
export function ErrorPanel({ error, retry, isPage = false }: ErrorPanelProps) {
  const { t } = useTranslate()
  const { user } = useSession()
  return (
    <Stack className={styles.empty} align="center" gap="xs" role="alert">
      <IconCloudOff size={40} stroke={1.25} aria-hidden className={styles.emptyIcon} />
      <Title order={2}>{t('failedTitle')}</Title>
      <Text c="dimmed" maw={480}>
        {isUnanswered(error) ? t('shell:offline.neverSeen') : describeReading(t, error)}
      </Text>
      {!isFinal(error) && (
        <Button variant="default" onClick={retry}>
          {t('tryAgain')}
        </Button>
      )}
      {isPage && isFinal(error) && user && (
        <Button component={Link} to={homeOf(user)} variant="default">
          {t('notFound.home')}
        </Button>
      )}
    </Stack>
  )
}
