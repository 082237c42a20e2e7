import type { PlaylistItem, PlaylistWithTracks, MoveDirection } from '@floorcast/contract/playlists.ts'
import { Text, Title, VisuallyHidden } from '@mantine/core'
import { IconPlaylist } from '@tabler/icons-react'
import { useMemo, useRef, useLayoutEffect, useState, type RefObject } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ItemGrid } from './item-grid.tsx'
import { ItemToolbar } from './item-toolbar.tsx'
import { useDropGap, type DragControl } from './playlist-drag.ts'
import { useItemsNow } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { moveTarget } from './playlist-moves.ts'
import { timeRound } from './playlist-times.ts'

interface PlaylistItemsProps {
  playlist: PlaylistWithTracks
  items: readonly PlaylistItem[]
  mayEdit: boolean
  /** Puts an item at a position, or takes it out with null. */
  put: (itemUid: string, to: number | null) => void
  drag: DragControl
}

/** The playlist in its order: running start times, plays, and whatever moves a track. */
export function PlaylistItems({ playlist, items, mayEdit, put, drag }: PlaylistItemsProps) {
  const { t } = useWords()
  const format = useFormat()
  const { crossfadeSeconds } = playlist
  const times = useMemo(() => timeRound(items, crossfadeSeconds), [items, crossfadeSeconds])
  const list = useRef<HTMLDivElement>(null)
  const { chosen, choose, announcement, move, remove } = useChosenItem(
    list,
    { items, itemsNow: useItemsNow(playlist.uid) },
    put,
  )
  const rows = { playlist: playlist.uid, items, times: times.items, mayEdit, chosenUid: chosen?.uid ?? null }
  return (
    <section className={styles.items} aria-label={t('playlists:tracks')}>
      <header className={styles.itemsHead}>
        <Title order={2}>{t('playlists:tracks')}</Title>
        <Text size="sm" c="dimmed" className={styles.total}>
          {t('playlists:total', { count: items.length, time: format.duration(times.totalSeconds) })}
        </Text>
        {mayEdit && items.length > 0 && (
          <ItemToolbar chosen={chosen} count={items.length} move={move} remove={remove} />
        )}
      </header>
      {items.length > 0 ? (
        <ItemGrid {...rows} list={list} choose={choose} move={move} remove={remove} put={put} drag={drag} />
      ) : (
        <NoItems mayEdit={mayEdit} drag={drag} />
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </section>
  )
}

function NoItems({ mayEdit, drag }: Pick<PlaylistItemsProps, 'mayEdit' | 'drag'>) {
  const { t } = useWords()
  const { over, release } = useDropGap(drag)
  return (
    <div onDragOver={event => over(1, event)} onDrop={release}>
      <EmptyState
        icon={IconPlaylist}
        title={t('playlists:noTracks')}
        text={mayEdit ? t('playlists:noTracksHint') : t('playlists:noTracksPaused')}
      />
    </div>
  )
}

/** The track that the toolbar and the keys move; it keeps the focus wherever it goes. */
function useChosenItem(
  list: RefObject<HTMLElement | null>,
  { items, itemsNow }: { items: readonly PlaylistItem[]; itemsNow: () => readonly PlaylistItem[] },
  put: (uid: string, to: number | null) => void,
) {
  const { t } = useWords()
  const [chosenUid, choose] = useState<string | null>(null)
  const [announcement, announce] = useState('')
  const refocus = useRef(false)
  const chosen = items.find(({ uid }) => uid === chosenUid) ?? null
  useLayoutEffect(() => {
    if (!refocus.current) return
    refocus.current = false
    list.current?.querySelector<HTMLElement>('[data-row][aria-selected=true]')?.focus()
  }, [list, items])
  const hasFocus = () => list.current?.contains(document.activeElement) ?? false
  const move = (direction: MoveDirection) => {
    const now = itemsNow()
    const from = now.findIndex(({ uid }) => uid === chosenUid) + 1
    if (!chosen || from === 0) return
    const to = moveTarget(from, direction, now.length)
    if (to === from) return
    refocus.current = hasFocus()
    announce(t('playlists:moved', { name: chosen.name, position: to, total: now.length }))
    put(chosen.uid, to)
  }
  const remove = () => {
    if (!chosen) return
    const next = items[chosen.position] ?? items[chosen.position - 2]
    refocus.current = hasFocus()
    announce(t('playlists:removed', { name: chosen.name }))
    choose(next?.uid ?? null)
    put(chosen.uid, null)
  }
  return { chosen, choose, announcement, move, remove }
}
