import { Button } from '@mantine/core'
import { IconUrgent } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useAlertLink, type AlertStart } from '../platform/alert-address.ts'
import { useTranslate } from '../platform/i18n.ts'
import { useMayChange } from '../platform/session.ts'

/** Asks over the page for an alert on what it shows. It works after the end of the subscription too. @param label default: 'Alert' */
export function AlertButton({ start, label }: { start: AlertStart; label?: string }) {
  const { t } = useTranslate()
  const to = useAlertLink(start)
  if (!useMayChange()) return null
  return (
    <Button
      component={Link}
      to={to}
      preventScrollReset
      variant="default"
      leftSection={<IconUrgent size={16} aria-hidden />}
    >
      {label ?? t('shell:beginAlert')}
    </Button>
  )
}
