import { MediaFilter, type MediaRow, type MediaType } from '@floorcast/contract/media.ts'
import { IconEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { lists } from '../../platform/lists.ts'
import type { PageComponent } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { useBulkRequest } from '../../ui/bulk/use-bulk-request.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { readFilter } from '../../ui/data-table/list-address.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { readListQuery, useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { mediaFields, useMediaFilters } from './media-columns.tsx'
import { mediaQueries, useRenameMedia } from './media-data.ts'
import { DeleteMedia, MediaForm } from './media-dialogs.ts'
import { MediaMenus } from './media-menus.tsx'
import { mediaShapes } from './media-thumb.tsx'
import { MediaDrop } from './media-drop.tsx'

/** The media of one content type; files dropped on it are uploaded. */
function MediaListPage({ contentType }: { contentType: MediaType }) {
  const { t } = useTranslate()
  const list = useList(lists[contentType])
  const query = readFilter(MediaFilter, list.query)
  const result = useQuery({ ...mediaQueries.list(contentType, query), enabled: list.isReady })
  const format = useFormat()
  const columns = useMemo(() => listColumns(mediaFields(t, format, contentType)), [t, format, contentType])
  const filters = useMediaFilters()
  const mayChange = useMayChange()
  const [editing, setEditing] = useState<MediaRow | null>(null)
  const bulk = useBulkRequest<never, MediaRow>()
  const rename = useRenameMedia(contentType)
  const editRow = { label: t('edit'), icon: <IconEdit size={16} aria-hidden />, run: setEditing }
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
        rename={rename}
        rowActions={mayChange ? [editRow, bulk.deleteRow] : []}
        bulkActions={mayChange ? [bulk.deleteMany] : []}
        actions={
          <>
            <MediaMenus contentType={contentType} query={query} />
            {upload}
          </>
        }
        empty={
          <EmptyState
            icon={mediaShapes[contentType]}
            title={t(`media:empty.${contentType}.title`)}
            text={t(`media:empty.${contentType}.text`)}
            action={upload}
          />
        }
      />
      {editing && <MediaForm media={editing} onClose={() => setEditing(null)} />}
      {bulk.request && (
        <DeleteMedia {...bulk.request} contentType={contentType} query={query} onClose={bulk.cancel} />
      )}
    </>
  )
}

function pageOf(contentType: MediaType): PageComponent {
  const Page: PageComponent = () => <MediaListPage contentType={contentType} />
  Page.prefetch = async ({ search }) => {
    const query = readListQuery(search, lists[contentType])
    if (query) await queryClient.prefetchQuery(mediaQueries.list(contentType, readFilter(MediaFilter, query)))
  }
  return Page
}

/** /media/videos */
export const VideosPage = pageOf('videos')
/** /media/videosAds */
export const VideosAdsPage = pageOf('videosAds')
/** /media/ads */
export const AdsPage = pageOf('ads')
/** /media/melodies */
export const MelodiesPage = pageOf('melodies')
