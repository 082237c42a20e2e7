import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useFormat } from '../../../platform/format.ts'
import { useTranslate } from '../../../platform/i18n.ts'
import type { ListControl } from '../use-list.ts'
import styles from './saved-views.module.css'

/** Says why a list does not show the view that its address names, or not all of it. */
export function ViewNotice({ list }: { list: ListControl }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { fault, goneFilters } = list.saved
  if (fault === null && goneFilters.length === 0) return null
  const isGone = fault === 'missing'
  return (
    <Alert
      className={styles.notice}
      color="yellow"
      role="status"
      icon={<IconInfoCircle size={20} aria-hidden />}
      withCloseButton={isGone}
      closeButtonLabel={t('close')}
      onClose={() => list.open(null)}
    >
      {fault === null
        ? t('list:views.goneFilters', { names: format.list([...goneFilters]) })
        : t(isGone ? 'list:views.missing' : 'list:views.failed')}
    </Alert>
  )
}
