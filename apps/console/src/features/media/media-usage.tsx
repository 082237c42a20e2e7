import type { Reference } from '@floorcast/contract/fields.ts'
import type { MediaCard } from '@floorcast/contract/media.ts'
import { IconPlaylist, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { mediaQueries } from './media-data.ts'

const defaults = {}

/** The playlists that contain an item, or the groups that play it now. */
export function MediaUsage({ media, where }: { media: MediaCard; where: 'playlists' | 'groups' }) {
  const { t } = useTranslate()
  const list = useList(defaults)
  const { contentType, uid } = media
  const { page, size, search } = list.query
  const query = { page, size, search }
  const result = useQuery(
    where === 'playlists'
      ? mediaQueries.playlists({ contentType, uid }, query)
      : mediaQueries.groups({ contentType, uid }, query),
  )
  const isPlaylists = where === 'playlists'
  return (
    <DataTable<Reference>
      name={`media-${where}`}
      label={t(`media:usage.${where}.label`)}
      list={list}
      result={result}
      columns={[{ id: 'name', header: t('name'), cell: row => <bdi>{row.name}</bdi> }]}
      rowName={row => row.name}
      rowHref={row => (isPlaylists ? paths.playlist(row.uid) : paths.group(row.uid))}
      empty={
        <EmptyState
          icon={isPlaylists ? IconPlaylist : IconUsersGroup}
          title={t(`media:usage.${where}.title`)}
          text={t(`media:usage.${where}.text`)}
        />
      }
    />
  )
}
