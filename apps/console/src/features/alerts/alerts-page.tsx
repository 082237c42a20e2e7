import { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { IconUrgent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CHOOSE_TARGET } from '../../platform/alert-address.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { AlertButton } from '../../ui/alert-button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { alertFields } from './alert-columns.tsx'
import { nameAlert, nameTarget } from './alert-words.ts'
import { alertQueries } from './alerts-data.ts'

const defaults = { filters: ['state', 'kind', 'purpose'] } as const

/** All alerts, newest first: what is on, and the history. */
export function AlertsPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const result = useQuery(alertQueries.list(list.query))
  const columns = useMemo(() => listColumns(alertFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const button = <AlertButton start={CHOOSE_TARGET} label={t('alerts:begin.title')} />
  return (
    <DataTable
      name="alerts"
      label={t('routes:alerts')}
      list={list}
      result={result}
      columns={columns}
      rowName={row => `${nameAlert(t, row)}, ${nameTarget(t, row.target)}`}
      rowHref={row => paths.alert(row.uid)}
      filters={alertFilters(t)}
      actions={button}
      empty={
        <EmptyState
          icon={IconUrgent}
          title={t('alerts:empty.title')}
          text={t(mayChange ? 'alerts:empty.text' : 'alerts:empty.viewOnly')}
          action={button}
        />
      }
    />
  )
}

function alertFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('alerts:columns.state'),
      options: (['open', 'ended'] as const).map(value => ({ value, label: t(`alerts:states.${value}`) })),
    },
    {
      name: 'kind',
      label: t('alerts:begin.kind'),
      options: AlertKind.options.map(value => ({ value, label: t(`alerts:kinds.${value}`) })),
    },
    {
      name: 'purpose',
      label: t('alerts:columns.purpose'),
      options: (['alert', 'drill'] as const).map(value => ({ value, label: t(`alerts:purposes.${value}`) })),
    },
  ]
}
