import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import {
  deleteManyPlaylists,
  deletePlaylist,
  type listPlaylists,
  type PlaylistRow,
} from '@floorcast/contract/playlists.ts'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { useMoveToRecycleBin } from '../../ui/recycle-bin/use-move-to-recycle-bin.ts'
import { playlistQueries } from './playlist-data.ts'

interface DeletePlaylistsProps {
  selection: Selection
  /** Set for a single playlist: the dialog lists the publications that use it. */
  item: Pick<PlaylistRow, 'uid' | 'name'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listPlaylists>
  onClose: () => void
  onDeleted: () => void
}

/** Moves playlists to the recycle bin, except those that a publication uses (docs/specification.md#8-error-catalogue, codes 409 and 921). */
export function DeletePlaylists(props: DeletePlaylistsProps) {
  const { selection, item, kind = 'all', query, onClose, onDeleted } = props
  const { t } = useTranslate()
  const remove = useMoveToRecycleBin({
    calls: {
      kind: 'playlists',
      one: uid => change(deletePlaylist, { body: { uid } }),
      many: body => call(deleteManyPlaylists, { body }),
    },
    selection,
    filter: { ...query, kind },
    successMessage: count =>
      item ? t('playlists:deletedOne', { name: item.name }) : t('playlists:deleted', { count }),
    onDeleted,
  })
  return (
    <ConfirmDialog
      isOpen
      title={t('playlists:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {item ? <Publications playlist={item} /> : t('playlists:delete.many')}
    </ConfirmDialog>
  )
}

function Publications({ playlist }: { playlist: Pick<PlaylistRow, 'uid' | 'name'> }) {
  const { t } = useTranslate()
  const { data, isPending } = useQuery(playlistQueries.publications(playlist.uid))
  const { name } = playlist
  if (isPending) return <Skeleton height={40} />
  if (!data || data.length === 0) return t('playlists:delete.unused', { name })
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
