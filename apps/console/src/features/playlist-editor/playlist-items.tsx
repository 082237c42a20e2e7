import type { MoveDirection } from '@floorcast/contract/playlist-parts.ts'
import type { PlaylistItem, PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Text, Title, VisuallyHidden } from '@mantine/core'
import { IconPlaylist } from '@tabler/icons-react'
import { useMemo, useRef, useLayoutEffect, useState, type RefObject } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ItemGrid } from './item-grid.tsx'
import { ItemToolbar } from './item-toolbar.tsx'
import { useDropGap, type DragControl } from './playlist-drag.ts'
import { useReadItems } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { moveTarget } from './playlist-moves.ts'
import { computeItemTimes } from './playlist-times.ts'

interface PlaylistItemsProps {
  playlist: PlaylistWithTracks
  items: readonly PlaylistItem[]
  mayEdit: boolean
  /** Moves an item to a position, from 1. */
  changeItem: (itemUid: string, to: number) => void
  removeItem: (item: PlaylistItem) => void
  drag: DragControl
}

/** The items of a playlist in their order, with running start times. */
export function PlaylistItems({
  playlist,
  items,
  mayEdit,
  changeItem,
  removeItem,
  drag,
}: PlaylistItemsProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { crossfadeSeconds } = playlist
  const times = useMemo(() => computeItemTimes(items, crossfadeSeconds), [items, crossfadeSeconds])
  const list = useRef<HTMLDivElement>(null)
  const { selected, select, announcement, move, remove } = useSelectedItem(
    list,
    { items, readItems: useReadItems(playlist.uid) },
    { changeItem, removeItem },
  )
  const rows = {
    playlist: playlist.uid,
    items,
    times,
    mayEdit,
    selectedUid: selected?.uid ?? null,
  }
  return (
    <section className={styles.items} aria-label={t('playlists:tracks')}>
      <header className={styles.itemsHead}>
        <Title order={2}>{t('playlists:tracks')}</Title>
        <Text size="sm" c="dimmed" className={styles.total}>
          {t('playlists:total', { count: items.length, time: format.duration(playlist.durationSeconds) })}
        </Text>
        {mayEdit && items.length > 0 && (
          <ItemToolbar selected={selected} count={items.length} move={move} remove={remove} />
        )}
      </header>
      {items.length > 0 ? (
        <ItemGrid
          {...rows}
          list={list}
          select={select}
          move={move}
          remove={remove}
          removeItem={removeItem}
          drag={drag}
        />
      ) : (
        <NoItems mayEdit={mayEdit} drag={drag} />
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </section>
  )
}

function NoItems({ mayEdit, drag }: Pick<PlaylistItemsProps, 'mayEdit' | 'drag'>) {
  const { t } = useTranslate()
  const { onDragOver, onDrop } = useDropGap(drag)
  return (
    <div onDragOver={event => onDragOver(1, event)} onDrop={onDrop}>
      <EmptyState
        icon={IconPlaylist}
        title={t('playlists:noTracks')}
        text={mayEdit ? t('playlists:noTracksHint') : t('playlists:noTracksPaused')}
      />
    </div>
  )
}

/** The item that toolbar and keys move or remove. It keeps the focus when it moves. */
function useSelectedItem(
  list: RefObject<HTMLElement | null>,
  { items, readItems }: { items: readonly PlaylistItem[]; readItems: () => readonly PlaylistItem[] },
  { changeItem, removeItem }: Pick<PlaylistItemsProps, 'changeItem' | 'removeItem'>,
) {
  const { t } = useTranslate()
  const [selectedUid, setSelectedUid] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const mustRefocus = useRef(false)
  const selected = items.find(({ uid }) => uid === selectedUid) ?? null
  useLayoutEffect(() => {
    if (!mustRefocus.current) return
    mustRefocus.current = false
    list.current?.querySelector<HTMLElement>('[data-row][aria-selected=true]')?.focus()
  }, [list, items])
  const hasFocus = () => list.current?.contains(document.activeElement) ?? false
  const move = (direction: MoveDirection) => {
    const current = readItems()
    const from = current.findIndex(({ uid }) => uid === selectedUid) + 1
    if (!selected || from === 0) return
    const to = moveTarget(from, direction, current.length)
    if (to === from) return
    mustRefocus.current = hasFocus()
    setAnnouncement(t('playlists:moved', { name: selected.name, position: to, total: current.length }))
    changeItem(selected.uid, to)
  }
  const remove = () => {
    if (!selected) return
    const next = items[selected.position] ?? items[selected.position - 2]
    mustRefocus.current = hasFocus()
    setAnnouncement(t('playlists:removed', { name: selected.name }))
    setSelectedUid(next?.uid ?? null)
    removeItem(selected)
  }
  return { selected, select: setSelectedUid, announcement, move, remove }
}
