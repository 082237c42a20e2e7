import type { MediaRow, MediaType } from '@floorcast/contract/media.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import { IconEdit, IconMovie, IconMusic } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { useDeleteDialog } from '../../ui/recycle-bin/use-delete-dialog.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { mediaFields, useMediaFilters } from './media-columns.tsx'
import { CreditsMenu } from './credits-menu.tsx'
import { DeleteMedia } from './delete-media.tsx'
import { mediaQueries, readMediaFilter } from './media-data.ts'
import { MediaDrop } from './media-drop.tsx'
import { MediaForm } from './media-form.tsx'

const defaults = { filters: ['used', 'isrc'], sort: 'uploadedAt', dir: 'desc' } as const

/** The media of one content type; files dropped on it are uploaded. */
function MediaListPage({ contentType }: { contentType: MediaType }) {
  const { t } = useTranslate()
  const list = useList(defaults)
  const query = readMediaFilter(list.query)
  const result = useQuery(mediaQueries.list(contentType, query))
  const format = useFormat()
  const columns = useMemo(() => listColumns(mediaFields(t, format, contentType)), [t, format, contentType])
  const filters = useMediaFilters()
  const mayChange = useMayChange()
  const [editing, setEditing] = useState<MediaRow | null>(null)
  const { deleting, cancel, row, bulk } = useDeleteDialog<MediaRow>()
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
        rowActions={mayChange ? [editRow, row] : []}
        bulkActions={mayChange ? [bulk] : []}
        actions={
          <>
            <CreditsMenu contentType={contentType} query={query} />
            {upload}
          </>
        }
        empty={
          <EmptyState
            icon={kindOfMedia(contentType) === 'video' ? IconMovie : IconMusic}
            title={t(`media:empty.${contentType}.title`)}
            text={t(`media:empty.${contentType}.text`)}
            action={upload}
          />
        }
      />
      <MediaForm media={editing} onClose={() => setEditing(null)} />
      {deleting && <DeleteMedia {...deleting} contentType={contentType} query={query} onClose={cancel} />}
    </>
  )
}

/** /media/videos */
export const VideosPage = () => <MediaListPage contentType="videos" />
/** /media/videosAds */
export const VideosAdsPage = () => <MediaListPage contentType="videosAds" />
/** /media/ads */
export const AdsPage = () => <MediaListPage contentType="ads" />
/** /media/melodies */
export const MelodiesPage = () => <MediaListPage contentType="melodies" />
