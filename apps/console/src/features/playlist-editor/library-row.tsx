import { kindOfMedia, type MediaRow } from '@floorcast/contract/media.ts'
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ListenButton } from '../../ui/listen-button.tsx'
import { isListenKey, listenToRow } from '../../ui/listen-key.ts'
import { type DraggedTrack, dragProps } from './playlist-drag.ts'
import styles from './playlist-editor.module.css'
import { TrackCell } from './track-cell.tsx'

interface LibraryRowProps {
  media: MediaRow
  tabIndex: number
  onFocus: () => void
  isTicked: boolean
  /** @param isRange also the rows since the last tick */
  onTick: (isRange: boolean) => void
  onAdd: () => void
  onDrag: (dragged: DraggedTrack | null) => void
}

/** A media item. Enter or its button adds it at the end of the playlist, dragging anywhere; Space ticks it, P plays it. */
export function LibraryRow({ media, isTicked, onTick, onAdd, ...props }: LibraryRowProps) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <div
      role="row"
      className={styles.libraryRow}
      data-row
      tabIndex={props.tabIndex}
      data-kind={kindOfMedia(media.contentType)}
      aria-selected={isTicked}
      onFocus={props.onFocus}
      onKeyDown={event => followKey(event, { onAdd, onTick })}
      {...dragProps({ kind: 'media', uid: media.uid, position: 0 }, props.onDrag)}
    >
      <span role="gridcell">
        <Checkbox
          size="sm"
          tabIndex={-1}
          aria-label={t('playlists:tick', { name: media.name })}
          checked={isTicked}
          onChange={event => onTick(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        />
      </span>
      <TrackCell track={media} />
      <span role="gridcell" className={styles.figure}>
        {format.duration(media.durationSeconds)}
      </span>
      <span role="gridcell">
        <ListenButton
          uid={media.uid}
          name={media.name}
          isVideo={kindOfMedia(media.contentType) === 'video'}
          tabIndex={-1}
        />
      </span>
      <span role="gridcell">
        <ActionIcon tabIndex={-1} aria-label={t('playlists:addTrack', { name: media.name })} onClick={onAdd}>
          <IconPlus size={20} aria-hidden />
        </ActionIcon>
      </span>
    </div>
  )
}

/** Enter adds the focused row, Space ticks it, P plays it. */
function followKey(
  event: KeyboardEvent<HTMLElement>,
  { onAdd, onTick }: Pick<LibraryRowProps, 'onAdd' | 'onTick'>,
): void {
  if (event.target !== event.currentTarget) return
  if (isListenKey(event)) return listenToRow(event)
  if (event.key !== 'Enter' && event.key !== ' ') return
  event.preventDefault()
  if (event.key === 'Enter') onAdd()
  else onTick(event.shiftKey)
}
