import { DeployState, type DeployRow } from '@floorcast/contract/deploy-packages.ts'
import type { PackageRow } from '@floorcast/contract/update-packages.ts'
import { Button } from '@mantine/core'
import { IconBroadcast, IconEdit, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { useMayChange } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter, RowAction } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { deployColumns } from './deploy-columns.tsx'
import { ConfirmUpdate, DeployForm } from './update-dialogs.ts'
import { deleteIcon, turnIcon } from './update-icons.tsx'
import { nameOfPackage, nextOf, useDeployRequests, type UpdateRequest } from './update-requests.ts'
import { updateQueries } from './updates-data.ts'

const defaults = { filters: ['state'], sort: 'changedAt', dir: 'desc' } as const

/** The packages on channels, or the channels that one package is on, with how many devices run it by now. */
export function DeployList({ ofPackage }: { ofPackage?: PackageRow }) {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const query = ofPackage ? { ...list.query, package: ofPackage.uid } : list.query
  const result = useQuery({ ...updateQueries.deploys(query), enabled: list.isReady })
  const isOfPackage = ofPackage !== undefined
  const columns = useMemo(() => deployColumns({ t, format }, isOfPackage), [t, format, isOfPackage])
  const [form, setForm] = useState<{ item?: DeployRow } | null>(null)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  const requests = useDeployRequests(setRequest)
  const mayChange = useMayChange()
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({})}>
      {t('updates:deploy.add')}
    </Button>
  )
  return (
    <>
      <DataTable
        name={isOfPackage ? 'package-deploys' : 'deploys'}
        label={t('routes:packagePublication')}
        list={list}
        result={result}
        columns={columns}
        rowName={nameOf}
        filters={deployFilters(t)}
        rowActions={mayChange ? rowActions(t, requests, item => setForm({ item })) : []}
        actions={addButton}
        empty={
          <EmptyState
            icon={IconBroadcast}
            title={t('updates:deploy.empty.title')}
            text={t('updates:deploy.empty.text')}
            action={addButton}
          />
        }
      />
      {form && <DeployForm {...form} ofPackage={ofPackage} onClose={() => setForm(null)} />}
      {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
    </>
  )
}

const nameOf = (row: DeployRow) => `${nameOfPackage(row.package)} – ${row.channel.name}`

const rowActions = (
  t: Translate,
  { turn, remove }: ReturnType<typeof useDeployRequests>,
  edit: (row: DeployRow) => void,
): RowAction<DeployRow>[] => [
  ...DeployState.options.map(state => ({
    label: t(`updates:deploy.turn.${nextOf(DeployState.options, state)}.button`),
    icon: turnIcon,
    isHidden: (row: DeployRow) => row.state !== state,
    run: turn,
  })),
  { label: t('edit'), icon: <IconEdit size={16} aria-hidden />, run: edit },
  { label: t('updates:deploy.delete.button'), icon: deleteIcon, isDanger: true, run: remove },
]

const deployFilters = (t: Translate): ListFilter[] => [
  {
    name: 'state',
    label: t('updates:fields.state'),
    options: DeployState.options.map(value => ({ value, label: t(`updates:deploy.states.${value}`) })),
  },
]
