import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { listPlaylists, type PlaylistRow } from '@floorcast/contract/playlists.ts'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { changeEach, gatherUids } from '../../platform/bulk.ts'
import { Refusal, call } from '../../platform/client.ts'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { playlistQueries, usePlaylistDelete, type KindWord } from './playlist-data.ts'

interface DeletePlaylistsProps {
  selection: Selection
  /** The one playlist that is meant; which publications name it is shown first. */
  only?: Pick<PlaylistRow, 'uid' | 'name'>
  kind?: KindWord
  query?: QueryOf<typeof listPlaylists>
  onClose: () => void
  onDeleted: () => void
}

/** Moves playlists to the recycle bin; one that a publication names stays (SPEC section 8, codes 409 and 921). */
export function DeletePlaylists(props: DeletePlaylistsProps) {
  const { selection, only, kind = 'all', query, onClose, onDeleted } = props
  const { t } = useWords()
  const { mutateAsync } = usePlaylistDelete()
  const remove = async () => {
    const uids =
      selection.kind === 'some'
        ? selection.uids
        : await gatherUids(
            (page, size) => call(listPlaylists, { params: { x: kind }, query: { ...query, page, size } }),
            selection.except,
          )
    const { done, failed } = await changeEach(uids, uid => mutateAsync({ uid }))
    if (done.length > 0) {
      onDeleted()
      const count = done.length
      void toast(
        'success',
        only ? t('playlists:deletedOne', { name: only.name }) : t('playlists:deleted', { count }),
      )
    }
    const first = failed[0]
    if (first && uids.length === 1) throw first.error
    if (first) throw new Refusal({ code: 303 })
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('playlists:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {only ? <Publications playlist={only} /> : t('playlists:delete.many')}
    </ConfirmDialog>
  )
}

function Publications({ playlist }: { playlist: Pick<PlaylistRow, 'uid' | 'name'> }) {
  const { t } = useWords()
  const { data, isPending } = useQuery(playlistQueries.publications(playlist))
  const { name } = playlist
  if (isPending) return <Skeleton height={40} />
  if (!data || data.length === 0) return t('playlists:delete.unused', { name })
  return (
    <Stack gap="xs">
      {t('playlists:delete.held', { name, count: data.length })}
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
