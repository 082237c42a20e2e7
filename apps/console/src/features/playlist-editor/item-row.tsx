import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { memo, type DragEvent } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ListenButton } from '../../ui/listen-button.tsx'
import { ItemSettings } from './item-settings.tsx'
import { dragProps, type DraggedTrack } from './playlist-drag.ts'
import styles from './playlist-editor.module.css'
import { TrackCell } from './track-cell.tsx'

interface ItemRowProps {
  playlist: string
  item: PlaylistItem
  index: number
  /** Null for an item with a time of day. */
  startSeconds: number | null
  playSeconds: number
  mayEdit: boolean
  isSelected: boolean
  /** The edge where a dragged row would be inserted. */
  gap: 'before' | 'after' | undefined
  tabIndex: number
  onFocus: (uid: string, index: number) => void
  onRemove: (item: PlaylistItem) => void
  onDragOver: (position: number, event: DragEvent) => void
  onDrag: (dragged: DraggedTrack | null) => void
}

/** An item with its start time in the round, its plays and their length. Memoized: a playlist may have thousands. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, startSeconds, mayEdit } = props
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <div
      role="row"
      className={styles.row}
      data-row
      data-gap={props.gap}
      tabIndex={props.tabIndex}
      aria-selected={props.isSelected}
      onFocus={() => props.onFocus(item.uid, props.index)}
      onDragOver={event => props.onDragOver(item.position, event)}
      {...(mayEdit ? dragProps({ kind: 'item', uid: item.uid, position: item.position }, props.onDrag) : {})}
    >
      {mayEdit && <IconGripVertical size={16} aria-hidden className={styles.grip} />}
      <span role="gridcell" className={styles.position}>
        {format.number(item.position)}
      </span>
      <span role="gridcell" className={styles.start}>
        {startSeconds === null ? t('playlists:daily') : format.duration(startSeconds)}
      </span>
      <TrackCell track={item} />
      <span role="gridcell" className={styles.settings}>
        <ItemSettings playlist={props.playlist} item={item} mayEdit={mayEdit} />
      </span>
      <span role="gridcell" className={styles.figure}>
        {format.duration(props.playSeconds)}
      </span>
      <span role="gridcell" className={styles.listen}>
        <ListenButton
          uid={item.mediaUid}
          name={item.name}
          isVideo={kindOfMedia(item.contentType) === 'video'}
          tabIndex={-1}
        />
      </span>
      {mayEdit && (
        <span role="gridcell" className={styles.removal}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t('playlists:remove', { name: item.name })}
            onClick={() => props.onRemove(item)}
          >
            <IconX size={16} aria-hidden />
          </button>
        </span>
      )}
    </div>
  )
})
