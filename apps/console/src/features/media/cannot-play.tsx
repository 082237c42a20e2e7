import { Text } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'

/** Shown when the file could not be loaded or played. */
export function CannotPlay() {
  const { t } = useTranslate()
  return (
    <Text role="alert" c="var(--mantine-color-error)" size="sm" mt="xs">
      {t('media:cannotPlay')}
    </Text>
  )
}
