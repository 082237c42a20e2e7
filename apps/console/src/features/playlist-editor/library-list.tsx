import type { MediaType } from '@floorcast/contract/media.ts'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { LibraryStates } from '../../ui/library-states.tsx'
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
      <LibraryStates type={type} search={search} result={result} isEmpty={media.length === 0} />
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
