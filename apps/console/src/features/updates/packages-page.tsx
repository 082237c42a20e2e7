import { PackageState, type PackageRow } from '@floorcast/contract/update-packages.ts'
import { Button, Stack } from '@mantine/core'
import { IconPackage, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter, RowAction } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { KeyNotice } from './key-notice.tsx'
import { packageFields } from './package-columns.tsx'
import { deleteIcon, turnIcon } from './update-icons.tsx'
import { ConfirmUpdate, PackageForm } from './update-dialogs.ts'
import { nameOfPackage, nextOf, usePackageRequests, type UpdateRequest } from './update-requests.ts'
import { updateQueries, useRenamePackage } from './updates-data.ts'

const defaults = { filters: ['state'], sort: 'changedAt', dir: 'desc' } as const

/** /updates/package: every package, the newest first. */
export function PackagesPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(defaults)
  const result = useQuery({ ...updateQueries.packages(list.query), enabled: list.isReady })
  const columns = useMemo(() => listColumns(packageFields(t, format)), [t, format])
  const [isAdding, setIsAdding] = useState(false)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  const requests = usePackageRequests(setRequest)
  const rename = useRenamePackage()
  const mayChange = useMayChange()
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('updates:package.add')}
    </Button>
  )
  return (
    <Stack gap="md">
      <KeyNotice />
      <DataTable
        name="update-packages"
        label={t('routes:packages')}
        list={list}
        result={result}
        columns={columns}
        rowName={nameOfPackage}
        rowHref={row => paths.package(row.uid)}
        filters={packageFilters(t)}
        rename={rename}
        rowActions={mayChange ? rowActions(t, requests) : []}
        actions={addButton}
        empty={
          <EmptyState
            icon={IconPackage}
            title={t('updates:package.empty.title')}
            text={t('updates:package.empty.text')}
            action={addButton}
          />
        }
      />
      {isAdding && (
        <PackageForm onClose={() => setIsAdding(false)} onAdded={uid => void navigate(paths.package(uid))} />
      )}
      {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
    </Stack>
  )
}

const rowActions = (
  t: Translate,
  { turn, remove }: ReturnType<typeof usePackageRequests>,
): RowAction<PackageRow>[] => [
  ...PackageState.options.map(state => ({
    label: t(`updates:package.turn.${nextOf(PackageState.options, state)}.button`),
    icon: turnIcon,
    isHidden: (row: PackageRow) => row.state !== state,
    run: turn,
  })),
  { label: t('delete'), icon: deleteIcon, isDanger: true, run: row => remove(row) },
]

const packageFilters = (t: Translate): ListFilter[] => [
  {
    name: 'state',
    label: t('updates:fields.state'),
    options: PackageState.options.map(value => ({ value, label: t(`updates:package.states.${value}`) })),
  },
]
