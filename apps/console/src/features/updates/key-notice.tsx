import { Alert, Anchor, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { updateQueries } from './updates-data.ts'

/** Says that no package can leave its draft, and leads to where the key is set; nothing once there is a key. */
export function KeyNotice() {
  const { t } = useTranslate()
  const { data } = useQuery(updateQueries.key())
  if (!data || data.publicKey !== null) return null
  return (
    <Alert color="amber" icon={<IconKey size={20} aria-hidden />} title={t('updates:key.missing')}>
      <Text size="sm">{t('updates:key.missingText')}</Text>
      <Anchor component={Link} to={paths.updateFiles} size="sm">
        {t('updates:key.toFiles')}
      </Anchor>
    </Alert>
  )
}
