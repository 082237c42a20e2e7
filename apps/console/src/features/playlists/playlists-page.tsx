import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { EditState } from '@floorcast/contract/groups.ts'
import { PlaylistForm as FormOfPlaylist, type PlaylistRow } from '@floorcast/contract/playlists.ts'
import { Button, Group } from '@mantine/core'
import { IconFileImport, IconPlaylist, IconPlus, IconWand } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { editActions } from '../../ui/bulk/edit-bulk-actions.tsx'
import { useBulkRequest } from '../../ui/bulk/use-bulk-request.tsx'
import { ListActions } from '../../ui/data-table/list-actions.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { readListQuery, useList } from '../../ui/data-table/use-list.ts'
import { duplicateRow } from '../../ui/duplicate/duplicate-action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { playlistFields } from './playlist-columns.tsx'
import { playlistQueries, readKind, readPlaylistFilter, useRenamePlaylist } from './playlists-data.ts'
import {
  BulkPlaylists,
  DuplicatePlaylist,
  PlaylistForm,
  PlaylistImport,
  ReplaceDialog,
} from './playlist-dialogs.ts'

const defaults = {
  views: 'playlists',
  filters: ['state', 'kind', 'form'],
  sort: 'changedAt',
  dir: 'desc',
} as const

/** Every playlist of the client. */
export function PlaylistsPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(defaults)
  const query = readPlaylistFilter(list.query)
  const kind = readKind(list.query['kind'])
  const result = useQuery({ ...playlistQueries.list(kind, query), enabled: list.isReady })
  const columns = useMemo(() => listColumns(playlistFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const [isImporting, setIsImporting] = useState(false)
  const bulk = useBulkRequest<EditAction, PlaylistRow>()
  const rename = useRenamePlaylist()
  const [copied, setCopied] = useState<PlaylistRow | null>(null)
  const addButton = mayChange && (
    <AddButtons onAdd={() => setIsAdding(true)} onImport={() => setIsImporting(true)} />
  )
  return (
    <>
      <DataTable
        name="playlists"
        label={t('routes:playlists')}
        list={list}
        result={result}
        columns={columns}
        rowName={playlist => playlist.name}
        rowHref={playlist => paths.playlist(playlist.uid)}
        filters={playlistFilters(t)}
        rename={rename}
        rowActions={mayChange ? [duplicateRow(t, setCopied), bulk.deleteRow] : []}
        bulkActions={mayChange ? editActions(t, bulk) : []}
        actions={addButton}
        empty={
          <EmptyState
            icon={IconPlaylist}
            title={t('playlists:empty.title')}
            text={t('playlists:empty.text')}
            action={addButton}
          />
        }
      />
      {isAdding && (
        <PlaylistForm
          onClose={() => setIsAdding(false)}
          onAdded={uid => void navigate(paths.playlist(uid))}
        />
      )}
      {isImporting && <PlaylistImport onClose={() => setIsImporting(false)} />}
      <OfferReplace />
      {copied && <DuplicatePlaylist playlist={copied} onClose={() => setCopied(null)} />}
      {bulk.request && <BulkPlaylists {...bulk.request} kind={kind} query={query} onClose={bulk.cancel} />}
    </>
  )
}

PlaylistsPage.prefetch = async ({ search }: PageAddress) => {
  const query = readListQuery(search, defaults)
  if (query)
    await queryClient.prefetchQuery(playlistQueries.list(readKind(query['kind']), readPlaylistFilter(query)))
}

/** Import a playlist, add a smart one in the wizard, or a simple one. */
function AddButtons({ onAdd, onImport }: { onAdd: () => void; onImport: () => void }) {
  const { t } = useTranslate()
  return (
    <Group gap="xs">
      <ListActions
        actions={[
          {
            label: t('playlists:import.button'),
            icon: <IconFileImport size={16} aria-hidden />,
            run: onImport,
          },
          { label: t('routes:wizard'), icon: <IconWand size={16} aria-hidden />, to: paths.wizard },
        ]}
      />
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
        {t('playlists:add')}
      </Button>
    </Group>
  )
}

function playlistFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('playlists:state'),
      options: EditState.options.map(value => ({
        value,
        label: t(`states.playlist.${value}`),
      })),
    },
    {
      name: 'kind',
      label: t('playlists:kind'),
      options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    },
    {
      name: 'form',
      isRare: true,
      label: t('playlists:form'),
      options: FormOfPlaylist.options.map(value => ({ value, label: t(`playlists:forms.${value}`) })),
    },
  ]
}

/** Offers to put a new playlist on the air. The wizard opens it by the address (`?replace=`). */
function OfferReplace() {
  const [address, setAddress] = useSearchParams()
  const uid = address.get('replace')
  const { data } = useQuery({ ...playlistQueries.card(uid ?? ''), enabled: uid !== null })
  const close = () => {
    const without = (now: URLSearchParams) => {
      const next = new URLSearchParams(now)
      next.delete('replace')
      return next
    }
    setAddress(without, { replace: true })
  }
  if (uid === null || !data?.editOf) return null
  return <ReplaceDialog playlist={data} former={data.editOf} onClose={close} />
}
