import { CallError } from '@floorcast/contract/client.ts'
import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { EmptyState } from '../empty-state.tsx'
import { ErrorPanel } from '../error-panel.tsx'
import type { ListFilter } from './list-column.ts'
import type { ListControl } from './use-list.ts'

interface ListFailureProps {
  list: ListControl
  filters: readonly ListFilter[]
  error: unknown
  retry: () => void
}

/** Why a list has no rows: the address asks for what there is not, or the server has not answered. */
export function ListFailure({ list, filters, error, retry }: ListFailureProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const wrong = error instanceof CallError && error.status === 422 ? (error.problem?.errors ?? []) : []
  if (wrong.length === 0) return <ErrorPanel error={error} retry={retry} />
  // A filter of several values is named once, however many of them are wrong.
  const names = new Set(wrong.map(({ path }) => path.replace(/\.\d+$/, '')))
  const parts = [...names].map(name => {
    const label = filters.find(filter => filter.name === name)?.label ?? name
    return t('labeled', { label, value: list.view.filters[name] ?? '–' })
  })
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('list:wrongAddress')}
      text={t('list:wrongAddressText', { parts: format.list(parts) })}
      action={
        <Button variant="default" onClick={() => list.open(null)}>
          {t('list:showAll')}
        </Button>
      }
    />
  )
}
