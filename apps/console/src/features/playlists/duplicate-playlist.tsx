import { listPlaylists, type PlaylistRow } from '@floorcast/contract/playlists.ts'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { useClonePlaylist } from './playlists-data.ts'

/** Copies a playlist; the day of a smart one is planned again. */
export function DuplicatePlaylist({ playlist, onClose }: { playlist: PlaylistRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: copy } = useClonePlaylist()
  return (
    <DuplicateDialog
      noun="playlist"
      name={playlist.name}
      text={t(`playlists:copyHas.${playlist.form}`)}
      find={(query, signal) => call(listPlaylists, { params: { x: 'all' }, query, signal })}
      make={async name => (await copy({ id: playlist.uid, purpose: 'copy', name })).uid ?? ''}
      to={paths.playlist}
      onClose={onClose}
    />
  )
}
