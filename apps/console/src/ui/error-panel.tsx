import { CallError } from '@floorcast/contract/client.ts'
import { type Translate, useTranslate } from '../platform/i18n.ts'
import { Button, Stack, Text, Title } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { describeFailure, isFinal, isUnanswered } from '../platform/outcomes.ts'
import styles from './panels.module.css'

/** A page has no fields to correct: what is wrong is its address. */
const describeReading = (t: Translate, error: unknown) =>
  error instanceof CallError && error.status === 422 ? t('problems:malformed') : describeFailure(t, error)

/** Shows why a part of the page could not be loaded and nothing of it is known, with a retry button where that can help. */
export function ErrorPanel({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslate()
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
    </Stack>
  )
}
