import { changeManyPlaylists, previewManyPlaylists, type EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import type { listPlaylists, PlaylistRow } from '@floorcast/contract/playlists.ts'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { editConfirm, oppositeOf } from '../../ui/bulk/edit-actions.ts'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { playlistQueries } from './playlists-data.ts'

interface BulkPlaylistsProps {
  action: EditAction
  selection: Selection
  /** A single playlist, of its own menu: the dialog lists the publications that use it. */
  item: Pick<PlaylistRow, 'uid' | 'name'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listPlaylists>
  onClose: () => void
  onDone: () => void
}

/** Activates, pauses or deletes playlists. One that a publication uses is not deleted (docs/specification.md#8-error-catalogue, codes 409 and 921). */
export function BulkPlaylists(props: BulkPlaylistsProps) {
  const { action, selection, item, kind = 'all', query, onClose, onDone } = props
  const { t } = useTranslate()
  const undoOf = useUndoOf()
  const filter = useMemo(() => ({ ...query, kind }), [query, kind])
  const { count } = selection
  const opposite = oppositeOf(action)
  const undo = opposite
    ? undoOf.call('playlist', uids =>
        call(changeManyPlaylists, { body: { items: { uids }, action: opposite } }),
      )
    : undoOf.restore('playlists')
  const doneText = (done: number) => {
    if (action !== 'delete') return t(`bulk:playlists.${action}.done`, { count: done })
    return item && done === 1
      ? t('playlists:deletedOne', { name: item.name })
      : t('playlists:deleted', { count: done })
  }
  // Of a single one, its publications tell what may become of it.
  const describeDelete = item ? null : (planned: number) => t('bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={
        action === 'delete'
          ? t('playlists:delete.title', { count })
          : t(`bulk:playlists.${action}.title`, { count })
      }
      confirmLabel={editConfirm(t, action)}
      isDanger={action === 'delete'}
      selection={selection}
      filter={filter}
      calls={{
        entity: 'playlist',
        key: action,
        removes: action === 'delete',
        preview: items => call(previewManyPlaylists, { body: { items, action } }),
        run: items => call(changeManyPlaylists, { body: { items, action } }),
      }}
      doneText={doneText}
      undo={undo}
      describe={action === 'delete' ? describeDelete : undefined}
      onClose={onClose}
      onDone={onDone}
    >
      {item && <Publications playlist={item} />}
    </BulkDialog>
  )
}

function Publications({ playlist }: { playlist: Pick<PlaylistRow, 'uid' | 'name'> }) {
  const { t } = useTranslate()
  const { data, error, isPending, refetch } = useQuery(playlistQueries.publications(playlist.uid))
  const { name } = playlist
  if (isPending) return <Skeleton height={40} />
  if (!data) return <ErrorPanel error={error} retry={() => void refetch()} />
  if (data.length === 0) return t('playlists:delete.unused', { name })
  return (
    <Stack gap="xs">
      {t('playlists:delete.usedBy', { name, count: data.length })}
      <ul>
        {data.map(publication => (
          <li key={publication.uid}>
            <bdi>{publication.name}</bdi>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
