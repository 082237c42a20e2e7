import type { PlaylistItem, PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Text, Title, VisuallyHidden } from '@mantine/core'
import { IconPlaylist } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ItemGrid } from './item-grid.tsx'
import { ItemToolbar } from './item-toolbar.tsx'
import { useDropGap, type DragControl } from './playlist-drag.ts'
import { useItemsNow } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { timeRound } from './playlist-times.ts'
import { useChosenItem } from './use-chosen-item.ts'

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
