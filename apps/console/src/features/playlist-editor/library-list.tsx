import type { MediaType } from '@floorcast/contract/media.ts'
import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { LibraryBar } from './library-bar.tsx'
import { LibraryRow } from './library-row.tsx'
import type { DraggedTrack } from './playlist-drag.ts'
import { playlistLibrary } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { useTicks } from './use-ticks.ts'
import { useRovingTabIndex } from './use-roving-tab-index.ts'

interface LibraryListProps {
  type: MediaType
  search: string
  onAdd: (mediaUid: string) => void
  onAddMany: (mediaUids: readonly string[]) => void
  isAdding: boolean
  onDrag: (dragged: DraggedTrack | null) => void
}

/** The matching media of one content type, to add one by one, several or all, with a button for the next page. */
export function LibraryList({ type, search, onAdd, onAddMany, isAdding, onDrag }: LibraryListProps) {
  const { t } = useTranslate()
  const result = useInfiniteQuery(playlistLibrary(type, search))
  const media = result.data?.pages.flatMap(page => page.items) ?? []
  const rovingTabIndex = useRovingTabIndex()
  const ticks = useTicks(media)
  const [page] = result.data?.pages ?? []
  return (
    <>
      {page && media.length > 0 && (
        <LibraryBar
          type={type}
          search={search}
          total={page.total}
          isMore={page.more ?? false}
          ticks={ticks}
          onAddMany={onAddMany}
          isAdding={isAdding}
        />
      )}
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
          aria-multiselectable
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
              isTicked={ticks.ticked.includes(row.uid)}
              onTick={isRange => ticks.toggle(row.uid, isRange)}
              isAdding={isAdding}
              onAdd={() => onAdd(row.uid)}
              onDrag={onDrag}
            />
          ))}
        </div>
      )}
      {result.hasNextPage && <ShowMore result={result} />}
    </>
  )
}

function ShowMore({
  result,
}: {
  result: { isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}) {
  const { t } = useTranslate()
  return (
    <Button variant="default" loading={result.isFetchingNextPage} onClick={() => void result.fetchNextPage()}>
      {t('playlists:showMore')}
    </Button>
  )
}

function NothingHere({ type, isSearch }: { type: MediaType; isSearch: boolean }) {
  const { t } = useTranslate()
  if (isSearch) return <Text c="dimmed">{t('playlists:nothingFound')}</Text>
  return (
    <Text c="dimmed">
      {t('playlists:libraryEmpty')}
      {sentenceGap()}
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
