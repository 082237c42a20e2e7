import { Button } from '@mantine/core'
import { IconBroadcast } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslate } from '../platform/i18n.ts'
import { usePublishLink, type PublishStart } from '../platform/publish-address.ts'
import { useMayChange } from '../platform/session.ts'

/** Opens the Publish sheet over the page, with what the page shows already chosen. */
export function PublishButton({ start, isMain = false }: { start: PublishStart; isMain?: boolean }) {
  const { t } = useTranslate()
  const to = usePublishLink(start)
  if (!useMayChange()) return null
  return (
    <Button
      component={Link}
      to={to}
      preventScrollReset
      variant={isMain ? 'filled' : 'default'}
      leftSection={<IconBroadcast size={16} aria-hidden />}
    >
      {t('publish:open')}
    </Button>
  )
}
