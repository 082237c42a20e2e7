import type { MediaRow, MediaType } from '@floorcast/contract/media.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import { IconEdit, IconMovie, IconMusic, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords, type Words } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { BulkAction, RowAction, Selection } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useMediaColumns, useMediaFilters } from './media-columns.tsx'
import { DeleteMedia } from './delete-media.tsx'
import { mediaQueries, readMediaFilter } from './media-data.ts'
import { MediaDrop } from './media-drop.tsx'
import { MediaForm } from './media-form.tsx'

interface Doomed {
  selection: Selection
  only?: MediaRow
  clear: () => void
}

const defaults = { filters: ['used'], sort: 'uploadedAt', dir: 'desc' } as const

/** One content type's media: drop files anywhere on it to upload them. */
function MediaListPage({ contentType }: { contentType: MediaType }) {
  const { t } = useWords()
  const list = useList(defaults)
  const query = readMediaFilter(list.query)
  const result = useQuery(mediaQueries.list(contentType, query))
  const columns = useMediaColumns()
  const filters = useMediaFilters()
  const mayChange = useMayChange()
  const [editing, edit] = useState<MediaRow | null>(null)
  const [doomed, doom] = useState<Doomed | null>(null)
  const { row, bulk } = listActions(t, edit, doom)
  const upload = mayChange ? <MediaDrop contentType={contentType} /> : null
  return (
    <>
      <DataTable
        name={contentType}
        label={t(`routes:${contentType}`)}
        list={list}
        result={result}
        columns={columns}
        filters={filters}
        rowName={row => row.name}
        rowHref={row => paths.mediaItem(contentType, row.uid)}
        rowActions={mayChange ? row : []}
        bulkActions={mayChange ? bulk : []}
        actions={upload}
        empty={
          <EmptyState
            icon={kindOfMedia(contentType) === 'video' ? IconMovie : IconMusic}
            title={t(`media:empty.${contentType}.title`)}
            text={t(`media:empty.${contentType}.text`)}
            action={upload}
          />
        }
      />
      <MediaForm media={editing} onClose={() => edit(null)} />
      {doomed && (
        <DeleteMedia
          {...doomed}
          contentType={contentType}
          query={query}
          onClose={() => doom(null)}
          onDeleted={doomed.clear}
        />
      )}
    </>
  )
}

function listActions(t: Words, edit: (row: MediaRow) => void, doom: (doomed: Doomed) => void) {
  const bin = { label: t('moveToBin'), icon: <IconTrash size={16} aria-hidden />, isDanger: true }
  const row: RowAction<MediaRow>[] = [
    { label: t('edit'), icon: <IconEdit size={16} aria-hidden />, run: edit },
    {
      ...bin,
      run: only =>
        doom({ selection: { kind: 'some', uids: [only.uid], count: 1 }, only, clear: () => undefined }),
    },
  ]
  const bulk: BulkAction[] = [{ ...bin, run: (selection, clear) => doom({ selection, clear }) }]
  return { row, bulk }
}

/** /media/videos */
export const VideosPage = () => <MediaListPage contentType="videos" />
/** /media/videosAds */
export const VideosAdsPage = () => <MediaListPage contentType="videosAds" />
/** /media/ads */
export const AdsPage = () => <MediaListPage contentType="ads" />
/** /media/melodies */
export const MelodiesPage = () => <MediaListPage contentType="melodies" />
