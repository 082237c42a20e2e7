import type { BinAction } from '@floorcast/contract/bulk-calls.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import { BIN_DAYS, type BinKind, type BinRow, type NeededItem } from '@floorcast/contract/recycle-bin.ts'
import { Button } from '@mantine/core'
import { IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { BulkAction, ListFilter, RowAction, Selection } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { binColumns } from './bin-columns.tsx'
import { binQuery, needsOf, pathOf, useRestore } from './bin-data.ts'

const forms = () => import('./bin-questions.tsx')

const BulkBin = onDemand(async () => (await forms()).BulkBin)
const RestoreNeeds = onDemand(async () => (await forms()).RestoreNeeds)

const usual = { sort: 'deletedAt', dir: 'desc' } as const
const defaults = {
  media: { ...usual, filters: ['mediaType'] },
  devices: { ...usual, filters: ['kind'] },
  groups: { ...usual, filters: ['kind'] },
  publications: { ...usual, filters: ['kind'] },
  playlists: { ...usual, filters: ['kind'] },
} as const

interface BinRequest {
  action: BinAction
  selection: Selection
  item: BinRow | null
  onDone: () => void
}

/** The deleted items of one kind. */
function BinPage({ x }: { x: BinKind }) {
  const { t } = useTranslate()
  const list = useList(defaults[x])
  const { query } = list
  const result = useQuery({ ...binQuery(x, query), enabled: list.isReady })
  const columns = useMemo(() => binColumns(t, x), [t, x])
  const [request, setRequest] = useState<BinRequest | null>(null)
  const { restoreRow, dialog } = useRestoreRow(x)
  const mayChange = useMayChange()
  const total = result.data?.total ?? 0
  const ask = (action: BinAction) => (selection: Selection, onDone: () => void) =>
    setRequest({ action, selection, item: null, onDone })
  const purgeRow = (row: BinRow) =>
    setRequest({ action: 'purge', selection: only(row), item: row, onDone: noop })
  const empty = () => ask('purge')({ kind: 'all', except: [], count: total }, noop)
  return (
    <>
      <DataTable
        name={`bin-${x}`}
        label={t(`routes:${x}Bin`)}
        list={list}
        result={result}
        columns={columns}
        rowName={row => row.name}
        filters={binFilters(t, x)}
        rowActions={mayChange ? rowActions(t, restoreRow, purgeRow) : []}
        bulkActions={mayChange ? bulkActions(t, ask) : []}
        actions={mayChange && total > 0 && !list.isFiltered && <EmptyButton onClick={empty} />}
        empty={
          <EmptyState
            icon={IconTrash}
            title={t('recycle:empty.title')}
            text={t('recycle:empty.text', { count: BIN_DAYS })}
          />
        }
      />
      {request && <BulkBin {...request} x={x} query={query} onClose={() => setRequest(null)} />}
      {dialog}
    </>
  )
}

const noop = () => undefined

/** Purges all that the list has. */
function EmptyButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslate()
  return (
    <Button variant="default" leftSection={<IconTrashX size={16} aria-hidden />} onClick={onClick}>
      {t('recycle:empty.button')}
    </Button>
  )
}

const only = ({ uid }: BinRow): Selection => ({ kind: 'some', uids: [uid], count: 1 })

interface Refused {
  row: BinRow
  needs: readonly NeededItem[]
}

/** Restores one item at once, and says where it is now. One whose needs are in the bin too is restored with them. */
function useRestoreRow(x: BinKind) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { mutate } = useRestore(x)
  const [refused, setRefused] = useState<Refused | null>(null)
  const tell = (row: BinRow, name: string) => {
    const message =
      name === row.name
        ? t('recycle:restore.doneOne', { name })
        : t('recycle:restore.renamed', { name: row.name, newName: name })
    const action = { label: t('recycle:restore.open'), run: () => void navigate(pathOf(x, row)) }
    void toast('success', message, { action })
  }
  const restoreRow = (row: BinRow) =>
    mutate(row.uid, {
      onSuccess: ({ name }) => tell(row, name ?? row.name),
      onError: error => {
        const needs = needsOf(error)
        if (needs.length > 0) setRefused({ row, needs })
        else toastFailure(error)
      },
    })
  const dialog = refused && (
    <RestoreNeeds
      {...refused}
      x={x}
      onRestored={name => tell(refused.row, name)}
      onClose={() => setRefused(null)}
    />
  )
  return { restoreRow, dialog }
}

const restoreButton = (t: Translate) => ({
  label: t('recycle:restore.button'),
  icon: <IconRestore size={16} aria-hidden />,
})
const purgeButton = (t: Translate) => ({
  label: t('recycle:purge.button'),
  icon: <IconTrashX size={16} aria-hidden />,
  isDanger: true,
})

const rowActions = (
  t: Translate,
  restore: (row: BinRow) => void,
  purge: (row: BinRow) => void,
): RowAction<BinRow>[] => [
  { ...restoreButton(t), run: restore },
  { ...purgeButton(t), run: purge },
]

const bulkActions = (t: Translate, ask: (action: BinAction) => BulkAction['run']): BulkAction[] => [
  { ...restoreButton(t), run: ask('restore') },
  { ...purgeButton(t), run: ask('purge') },
]

function binFilters(t: Translate, x: BinKind): ListFilter[] {
  const label = t('recycle:columns.kind')
  if (x === 'media')
    return [
      {
        name: 'mediaType',
        label,
        options: MediaType.options.map(value => ({ value, label: t(`routes:${value}`) })),
      },
    ]
  return [
    { name: 'kind', label, options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })) },
  ]
}

/** /trash/mediaTrash */
export const MediaBinPage = () => <BinPage x="media" />
/** /trash/devicesTrash */
export const DevicesBinPage = () => <BinPage x="devices" />
/** /trash/groupsTrash */
export const GroupsBinPage = () => <BinPage x="groups" />
/** /trash/publicationsTrash */
export const PublicationsBinPage = () => <BinPage x="publications" />
/** /trash/playlistsTrash */
export const PlaylistsBinPage = () => <BinPage x="playlists" />
