import { Button } from '@mantine/core'
import { IconReportAnalytics } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslate } from '../platform/i18n.ts'

/** Leads to the report of the page's item, with its filters set. @param to of `paths.report` */
export function ReportLink({ to }: { to: string }) {
  const { t } = useTranslate()
  return (
    <Button
      component={Link}
      to={to}
      variant="default"
      leftSection={<IconReportAnalytics size={16} aria-hidden />}
    >
      {t('shell:reportLink')}
    </Button>
  )
}
