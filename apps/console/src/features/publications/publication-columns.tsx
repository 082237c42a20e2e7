import type { PublicationRow } from '@floorcast/contract/publications.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { describeReadiness } from './publication-readiness.ts'
import { describeStart } from './publication-start.ts'
import { PublicationStateBadge } from './publication-state-badge.tsx'

/** The columns of the publication list; their ids are what the server sorts by. */
export function publicationColumns(t: Translate, format: Format): ListColumn<PublicationRow>[] {
  const began = (row: PublicationRow) => {
    if (row.state === 'delayed' && row.startsAt) return describeStart({ t, format }, row.startsAt)
    return row.activatedAt && row.state === 'active' ? format.dateTime(row.activatedAt) : '–'
  }
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'state',
      header: t('publications:state'),
      isSortable: true,
      cell: row => <PublicationStateBadge state={row.state} />,
    },
    {
      id: 'group',
      header: t('publications:group'),
      cell: row => <ThingLink to={paths.group(row.group.uid)} thing={row.group} />,
    },
    {
      id: 'playlist',
      header: t('publications:playlist'),
      cell: row => <ThingLink to={paths.playlist(row.playlist.uid)} thing={row.playlist} />,
    },
    {
      id: 'readiness',
      header: t('publications:readiness'),
      cell: row => (row.readiness ? describeReadiness({ t, format }, row.readiness) : '–'),
    },
    { id: 'startsAt', header: t('publications:began'), cell: began },
    {
      id: 'kind',
      header: t('publications:kind'),
      isHiddenAtFirst: true,
      cell: row => t(`kinds.${row.kind}`),
    },
    {
      id: 'changedAt',
      header: t('publications:changed'),
      isSortable: true,
      isHiddenAtFirst: true,
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

function ThingLink({ to, thing }: { to: string; thing: Reference }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      <bdi>{thing.name}</bdi>
    </Anchor>
  )
}
