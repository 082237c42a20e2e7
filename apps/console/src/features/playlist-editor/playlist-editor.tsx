import type { PlaylistItem, PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Alert } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { Panel } from '../../ui/panel.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import type { DraggedTrack } from './playlist-drag.ts'
import { useItemChange, useOptimisticItems, useAddTrack, useAddTracks } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { PlaylistItems } from './playlist-items.tsx'
import { PlaylistLibrary } from './playlist-library.tsx'

/** The editor's changes of a playlist, and the last one that was refused. */
function useChanges(uid: string) {
  const { t } = useTranslate()
  const tracks = useAddTrack(uid)
  const many = useAddTracks(uid)
  const { mutateAsync } = useItemChange(uid)
  const [failure, setFailure] = useState<unknown>(null)
  const reportFailure = useCallback((work: Promise<unknown>) => {
    setFailure(null)
    work.catch((error: unknown) => {
      setFailure(error)
      toastFailure(error, 'playlist')
    })
  }, [])
  const changeItem = useCallback(
    (itemUid: string, to: number) => reportFailure(mutateAsync({ uid: itemUid, to })),
    [reportFailure, mutateAsync],
  )
  const { putBack } = tracks
  const removeItem = useCallback(
    (item: PlaylistItem) => {
      const action = { label: t('undo'), run: () => reportFailure(putBack(item)) }
      const removed = mutateAsync({ uid: item.uid, to: null })
      reportFailure(
        removed.then(() => toast('success', t('playlists:removed', { name: item.name }), { action })),
      )
    },
    [t, reportFailure, mutateAsync, putBack],
  )
  return {
    changeItem,
    removeItem,
    add: (track: string, to?: number) => reportFailure(tracks.add(track, to)),
    addMany: (chosen: readonly string[]) => reportFailure(many.mutateAsync(chosen)),
    isAdding: tracks.isAdding || many.isPending,
    failure,
    closeFailure: () => setFailure(null),
  }
}

/** The library beside the items; the items alone while the playlist may not be edited. */
export function PlaylistEditor({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const items = useOptimisticItems(playlist.uid, playlist.items)
  const { changeItem, removeItem, add, addMany, isAdding, ...changes } = useChanges(playlist.uid)
  const [dragged, setDragged] = useState<DraggedTrack | null>(null)
  const mayEdit = playlist.permissions.mayEdit && playlist.state === 'paused' && playlist.form === 'simple'
  const drop = (to: number) => {
    if (dragged?.kind === 'item') changeItem(dragged.uid, to)
    else if (dragged) add(dragged.uid, to)
    setDragged(null)
  }
  return (
    <div className={styles.editor} data-two={mayEdit || undefined}>
      {mayEdit && (
        <Panel title={t('playlists:library')}>
          <PlaylistLibrary
            kind={playlist.kind}
            onAdd={add}
            onAddMany={addMany}
            isAdding={isAdding}
            onDrag={setDragged}
          />
        </Panel>
      )}
      <div className={styles.main}>
        {changes.failure !== null && <ChangeFailed failure={changes.failure} close={changes.closeFailure} />}
        <PlaylistItems
          playlist={playlist}
          items={items}
          mayEdit={mayEdit}
          changeItem={changeItem}
          removeItem={removeItem}
          drag={{ dragged, start: setDragged, drop }}
        />
      </div>
    </div>
  )
}

/** The last change that was refused. */
function ChangeFailed({ failure, close }: { failure: unknown; close: () => void }) {
  const { t } = useTranslate()
  return (
    <Alert color="red" role="alert" mb="sm" withCloseButton closeButtonLabel={t('close')} onClose={close}>
      <FailureText error={failure} subject="playlist" />
    </Alert>
  )
}
