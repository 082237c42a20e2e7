import { kindOfMedia, type MediaRow } from '@floorcast/contract/media.ts'
import { ActionIcon } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { dragProps, type Dragged } from './playlist-drag.ts'
import styles from './playlist-editor.module.css'
import { TrackIcon } from './track-icon.tsx'

interface LibraryRowProps {
  media: MediaRow
  tabIndex: number
  onFocus: () => void
  isAdding: boolean
  onAdd: () => void
  drag: (dragged: Dragged | null) => void
}

/** A media item of the library: Enter or its button puts it at the end, dragging anywhere in the list. */
export function LibraryRow({ media, tabIndex, onFocus, isAdding, onAdd, drag }: LibraryRowProps) {
  const { t } = useWords()
  const format = useFormat()
  return (
    <div
      role="row"
      className={styles.libraryRow}
      data-row
      tabIndex={tabIndex}
      data-kind={kindOfMedia(media.contentType)}
      onFocus={onFocus}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return
        event.preventDefault()
        onAdd()
      }}
      {...dragProps({ kind: 'media', uid: media.uid, position: 0 }, drag)}
    >
      <span role="gridcell" className={styles.track}>
        <TrackIcon contentType={media.contentType} />
        <span className={styles.trackName}>
          <bdi>{media.name}</bdi>
        </span>
      </span>
      <span role="gridcell" className={styles.figure}>
        {format.duration(media.durationSeconds)}
      </span>
      <span role="gridcell">
        <ActionIcon
          tabIndex={-1}
          disabled={isAdding}
          aria-label={t('playlists:addTrack', { name: media.name })}
          onClick={onAdd}
        >
          <IconPlus size={20} aria-hidden />
        </ActionIcon>
      </span>
    </div>
  )
}
