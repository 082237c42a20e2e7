import type { PlaylistCard, PlaylistRow } from '@floorcast/contract/playlists.ts'
import { Group } from '@mantine/core'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { PlanStateBadge, PlaylistStateBadge } from './playlist-state-badge.tsx'

/** The fields of list and card; ids are what the server sorts by. */
export function playlistFields(t: Translate, format: Format): ItemField<PlaylistRow, PlaylistCard>[] {
  return [
    { id: 'name', header: t('name'), only: 'list', isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'state',
      header: t('playlists:state'),
      only: 'list',
      isSortable: true,
      cell: row => (
        <>
          <PlaylistStateBadge state={row.state} /> <PlanStateBadge planState={row.planState} />
        </>
      ),
    },
    { id: 'kind', isMinor: true, header: t('playlists:kind'), cell: row => t(`kinds.${row.kind}`) },
    {
      id: 'itemCount',
      header: t('playlists:tracks'),
      only: 'list',
      isNumber: true,
      cell: row => format.number(row.itemCount),
    },
    {
      id: 'durationSeconds',
      header: t('playlists:length'),
      only: 'list',
      isNumber: true,
      cell: row => format.duration(row.durationSeconds),
    },
    {
      id: 'dates',
      isMinor: true,
      header: t('playlists:dates'),
      cell: row => describeDates({ t, format }, row),
    },
    {
      id: 'isUsed',
      header: t('playlists:use'),
      only: 'list',
      cell: row => (row.isUsed ? t('states.playlist.used') : t('states.playlist.unused')),
    },
    {
      id: 'form',
      isMinor: true,
      header: t('playlists:form'),
      only: 'list',
      cell: row => t(`playlists:forms.${row.form}`),
    },
    {
      id: 'crossfade',
      header: t('playlists:crossfade'),
      only: 'card',
      cell: ({ crossfadeSeconds: seconds }) =>
        seconds === 0
          ? t('playlists:noCrossfade')
          : t('playlists:seconds', { value: format.number(seconds, 1) }),
    },
    {
      id: 'groups',
      header: t('playlists:groups'),
      only: 'card',
      none: t('playlists:noGroups'),
      cell: ({ groups }) =>
        groups.length > 0 && (
          <Group gap="xs">
            {groups.map(group => (
              <EntityLink key={group.uid} entity={group} to={paths.group} />
            ))}
          </Group>
        ),
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
      isShown: ({ description }) => description !== '',
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
