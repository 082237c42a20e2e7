import type { PlaylistRow } from '@floorcast/contract/playlists.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlanStateBadge, PlaylistStateBadge } from './playlist-state-badge.tsx'

/** The columns of the playlist list; their ids are what the server sorts by. */
export function playlistColumns(t: Translate, format: Format): ListColumn<PlaylistRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'state',
      header: t('playlists:state'),
      isSortable: true,
      cell: row => (
        <>
          <PlaylistStateBadge state={row.state} /> <PlanStateBadge planState={row.planState} />
        </>
      ),
    },
    { id: 'kind', header: t('playlists:kind'), cell: row => t(`kinds.${row.kind}`) },
    {
      id: 'itemCount',
      header: t('playlists:tracks'),
      isNumber: true,
      cell: row => format.number(row.itemCount),
    },
    {
      id: 'durationSeconds',
      header: t('playlists:length'),
      isNumber: true,
      cell: row => format.duration(row.durationSeconds),
    },
    { id: 'dates', header: t('playlists:dates'), cell: row => describeDates({ t, format }, row) },
    {
      id: 'isUsed',
      header: t('playlists:use'),
      cell: row => (row.isUsed ? t('states.used') : t('states.unused')),
    },
    {
      id: 'form',
      header: t('playlists:form'),
      cell: row => t(`playlists:forms.${row.form}`),
    },
    {
      id: 'changedAt',
      header: t('playlists:changed'),
      isSortable: true,
      cell: row => format.dateTime(row.changedAt),
    },
    {
      id: 'description',
      header: t('description'),
      isHiddenAtFirst: true,
      isProse: true,
      cell: row => row.description,
    },
  ]
}

/** The days on which a playlist may play. They have no time zone: each device uses its own. */
export function describeDates(
  { t, format }: { t: Translate; format: Format },
  { startDate, endDate }: Pick<PlaylistRow, 'startDate' | 'endDate'>,
): string {
  // Noon in the reader's zone falls on that day; midnight in UTC may not.
  const day = (date: string) => format.date(`${date}T12:00:00`)
  if (startDate && endDate) return t('playlists:fromTo', { from: day(startDate), to: day(endDate) })
  if (startDate) return t('playlists:from', { from: day(startDate) })
  if (endDate) return t('playlists:to', { to: day(endDate) })
  return t('playlists:always')
}
