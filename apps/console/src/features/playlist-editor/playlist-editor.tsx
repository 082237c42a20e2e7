import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Alert } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useWords } from '../../platform/i18n.ts'
import { describeFailure, toastFailure } from '../../platform/outcomes.ts'
import { Panel } from '../../ui/panel.tsx'
import type { Dragged } from './playlist-drag.ts'
import { useItemChange, useShownItems, useTrackAdd } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { PlaylistItems } from './playlist-items.tsx'
import { PlaylistLibrary } from './playlist-library.tsx'

/** The library and the playlist side by side; only the list while it may not be edited. */
export function PlaylistEditor({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useWords()
  const { uid } = playlist
  const items = useShownItems(uid, playlist.items)
  const tracks = useTrackAdd(uid)
  const [dragged, drag] = useState<Dragged | null>(null)
  const [failure, fail] = useState<unknown>(null)
  const mayEdit = playlist.permissions.mayEdit && playlist.state === 'paused' && playlist.form === 'simple'
  const { mutateAsync } = useItemChange(uid)
  const told = useCallback((work: Promise<unknown>) => {
    fail(null)
    work.catch((error: unknown) => {
      fail(error)
      toastFailure(error, 'playlist')
    })
  }, [])
  const put = useCallback(
    (itemUid: string, to: number | null) => told(mutateAsync({ uid: itemUid, to })),
    [told, mutateAsync],
  )
  const add = (track: string, to?: number) => told(tracks.add(track, to))
  const drop = (to: number) => {
    if (dragged?.kind === 'item') put(dragged.uid, to)
    else if (dragged) add(dragged.uid, to)
    drag(null)
  }
  return (
    <div className={styles.editor} data-two={mayEdit || undefined}>
      {mayEdit && (
        <Panel title={t('playlists:library')}>
          <PlaylistLibrary kind={playlist.kind} onAdd={add} isAdding={tracks.isAdding} drag={drag} />
        </Panel>
      )}
      <div className={styles.main}>
        {failure !== null && (
          <Alert
            color="red"
            role="alert"
            mb="sm"
            withCloseButton
            closeButtonLabel={t('close')}
            onClose={() => fail(null)}
          >
            {describeFailure(t, failure, 'playlist')}
          </Alert>
        )}
        <PlaylistItems
          playlist={playlist}
          items={items}
          mayEdit={mayEdit}
          put={put}
          drag={{ dragged, start: drag, drop }}
        />
      </div>
    </div>
  )
}
