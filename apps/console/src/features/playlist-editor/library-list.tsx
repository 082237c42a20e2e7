import { type MediaType, kindOfMedia, type MediaRow } from '@floorcast/contract/media.ts'
import { Anchor, Button, Skeleton, Stack, Text, ActionIcon } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { type DraggedTrack, dragProps } from './playlist-drag.ts'
import { playlistLibrary } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { TrackCell } from './track-cell.tsx'
import { useRovingTabIndex } from './use-roving-tab-index.ts'

interface LibraryListProps {
  type: MediaType
  search: string
  onAdd: (mediaUid: string) => void
  isAdding: boolean
  onDrag: (dragged: DraggedTrack | null) => void
}

/** The matching media of one content type, with a button for the next page. */
export function LibraryList({ type, search, onAdd, isAdding, onDrag }: LibraryListProps) {
  const { t } = useTranslate()
  const result = useInfiniteQuery(playlistLibrary(type, search))
  const media = result.data?.pages.flatMap(page => page.items) ?? []
  const rovingTabIndex = useRovingTabIndex()
  return (
    <>
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {result.isPending && <LibrarySkeleton />}
      {result.data && media.length === 0 && <NothingHere type={type} isSearch={search !== ''} />}
      {media.length > 0 && (
        <div
          role="grid"
          tabIndex={-1}
          aria-label={t('playlists:library')}
          className={styles.library}
          onKeyDown={rovingTabIndex.onKeyDown}
          aria-busy={result.isPlaceholderData}
        >
          {media.map((row, index) => (
            <LibraryRow
              key={row.uid}
              media={row}
              tabIndex={rovingTabIndex.tabIndexOf(index)}
              onFocus={() => rovingTabIndex.setCurrent(index)}
              isAdding={isAdding}
              onAdd={() => onAdd(row.uid)}
              onDrag={onDrag}
            />
          ))}
        </div>
      )}
      {result.hasNextPage && (
        <Button
          variant="default"
          loading={result.isFetchingNextPage}
          onClick={() => void result.fetchNextPage()}
        >
          {t('playlists:showMore')}
        </Button>
      )}
    </>
  )
}

function NothingHere({ type, isSearch }: { type: MediaType; isSearch: boolean }) {
  const { t } = useTranslate()
  if (isSearch) return <Text c="dimmed">{t('playlists:nothingFound')}</Text>
  return (
    <Text c="dimmed">
      {t('playlists:libraryEmpty')}{' '}
      <Anchor component={Link} to={paths.media(type)}>
        {t(`media:upload.${type}`)}
      </Anchor>
    </Text>
  )
}

function LibrarySkeleton() {
  return (
    <Stack gap="xs" aria-hidden>
      {[70, 50, 60, 80, 55].map(width => (
        <Skeleton key={width} height={16} width={`${width}%`} my={8} />
      ))}
    </Stack>
  )
}

interface LibraryRowProps {
  media: MediaRow
  tabIndex: number
  onFocus: () => void
  isAdding: boolean
  onAdd: () => void
  onDrag: (dragged: DraggedTrack | null) => void
}

/** A media item. Enter or its button adds it at the end of the playlist, dragging anywhere. */
function LibraryRow({ media, tabIndex, onFocus, isAdding, onAdd, onDrag }: LibraryRowProps) {
  const { t } = useTranslate()
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
      {...dragProps({ kind: 'media', uid: media.uid, position: 0 }, onDrag)}
    >
      <TrackCell track={media} />
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
