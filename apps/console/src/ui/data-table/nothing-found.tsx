import { useWords } from '../../platform/i18n.ts'
import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../empty-state.tsx'
import type { ListControl } from './use-list.ts'

/** Nothing matches, or the page is past the end: says so and leads back. */
export function NothingFound({ list }: { list: ListControl }) {
  const { t } = useWords()
  const reset = () => list.show({ search: '', filters: {}, page: 1 })
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('list.nothingFound')}
      text={t('list.nothingFoundHint')}
      action={
        <Button variant="default" onClick={reset}>
          {t('list.showAll')}
        </Button>
      }
    />
  )
}
