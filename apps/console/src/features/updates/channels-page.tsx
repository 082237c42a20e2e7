import { ChannelState, type ChannelRow } from '@floorcast/contract/update-channels.ts'
import { Button } from '@mantine/core'
import { IconEdit, IconPlus, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter, RowAction, ListColumn } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EntityNames } from './entity-names.tsx'
import { ChannelBadge } from './update-badges.tsx'
import { ChannelForm, ConfirmUpdate } from './update-dialogs.ts'
import { deleteIcon, turnIcon } from './update-icons.tsx'
import { nextOf, useChannelRequests, type UpdateRequest } from './update-requests.ts'
import { updateQueries, useRenameChannel } from './updates-data.ts'

const defaults = { filters: ['state'], sort: 'name' } as const

/** /updates/channels: sets of groups that get packages together. */
export function ChannelsPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const result = useQuery({ ...updateQueries.channels(list.query), enabled: list.isReady })
  const columns = useMemo(() => channelColumns(t, format), [t, format])
  const [form, setForm] = useState<{ item?: ChannelRow } | null>(null)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  const requests = useChannelRequests(setRequest)
  const rename = useRenameChannel()
  const mayChange = useMayChange()
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({})}>
      {t('updates:channel.add')}
    </Button>
  )
  return (
    <>
      <DataTable
        name="update-channels"
        label={t('routes:channels')}
        list={list}
        result={result}
        columns={columns}
        rowName={row => row.name}
        filters={channelFilters(t)}
        rename={rename}
        rowActions={mayChange ? rowActions(t, requests, item => setForm({ item })) : []}
        actions={addButton}
        empty={
          <EmptyState
            icon={IconRoute}
            title={t('updates:channel.empty.title')}
            text={t('updates:channel.empty.text')}
            action={addButton}
          />
        }
      />
      {form && <ChannelForm {...form} onClose={() => setForm(null)} />}
      {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
    </>
  )
}

const rowActions = (
  t: Translate,
  { turn, remove }: ReturnType<typeof useChannelRequests>,
  edit: (row: ChannelRow) => void,
): RowAction<ChannelRow>[] => [
  ...ChannelState.options.map(state => ({
    label: t(`updates:channel.turn.${nextOf(ChannelState.options, state)}.button`),
    icon: turnIcon,
    isHidden: (row: ChannelRow) => row.state !== state,
    run: turn,
  })),
  { label: t('edit'), icon: <IconEdit size={16} aria-hidden />, run: edit },
  { label: t('delete'), icon: deleteIcon, isDanger: true, run: remove },
]

const channelFilters = (t: Translate): ListFilter[] => [
  {
    name: 'state',
    label: t('updates:fields.state'),
    options: ChannelState.options.map(value => ({ value, label: t(`updates:channel.states.${value}`) })),
  },
]

/** The columns of channels; ids are what the server sorts by. */
function channelColumns(t: Translate, format: Format): ListColumn<ChannelRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'state',
      header: t('updates:fields.state'),
      isSortable: true,
      cell: row => <ChannelBadge state={row.state} />,
    },
    {
      id: 'groups',
      header: t('updates:fields.groups'),
      cell: ({ groups }) => groups.length > 0 && <EntityNames items={groups} to={paths.group} />,
    },
    {
      id: 'devices',
      header: t('updates:fields.devices'),
      isNumber: true,
      cell: row => format.number(row.deviceCount),
    },
    {
      id: 'packages',
      header: t('updates:fields.packages'),
      cell: ({ packages }) => packages.length > 0 && <EntityNames items={packages} to={paths.package} />,
    },
    {
      id: 'changedAt',
      header: t('updates:fields.changed'),
      isSortable: true,
      isMinor: true,
      cell: row => <RelativeTime instant={row.changedAt} />,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: row => row.description,
    },
  ]
}
