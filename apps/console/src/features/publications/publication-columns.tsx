import type { PublicationCard, PublicationRow, Readiness } from '@floorcast/contract/publications.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { describeReadiness, isReadyEverywhere } from './publication-readiness.ts'
import { describeStart } from './publication-start.ts'
import { PublicationStateBadge } from './publication-state-badge.tsx'
import styles from './publications.module.css'

/** The share of devices that hold all files, as a bar below its words. */
function ReadinessBar({ readiness, text }: { readiness: Readiness; text: string }) {
  const { devices, holding } = readiness
  const tone = isReadyEverywhere(readiness) ? 'good' : 'late'
  return (
    <span className={styles.readiness}>
      <StatusBadge tone={tone}>{text}</StatusBadge>
      {devices > 0 && (
        <span className={styles.bar} data-tone={tone} aria-hidden>
          <span style={{ inlineSize: `${(holding / devices) * 100}%` }} />
        </span>
      )}
    </span>
  )
}

/** The fields of list and card; ids are what the server sorts by. */
export function publicationFields(
  t: Translate,
  format: Format,
): ItemField<PublicationRow, PublicationCard>[] {
  const began = (row: PublicationRow) => {
    if (row.state === 'delayed' && row.startsAt) return describeStart({ t, format }, row.startsAt)
    return row.activatedAt && row.state === 'active' && format.dateTime(row.activatedAt)
  }
  return [
    { id: 'name', header: t('name'), only: 'list', isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'state',
      header: t('publications:state'),
      only: 'list',
      isSortable: true,
      cell: row => <PublicationStateBadge publication={row} />,
    },
    {
      id: 'group',
      header: t('publications:group'),
      cell: row => <EntityLink entity={row.group} to={paths.group} />,
      cardCell: ({ group, groupState }) => (
        <>
          <EntityLink entity={group} to={paths.group} /> · {t(`states.group.${groupState}`)}
        </>
      ),
    },
    {
      id: 'playlist',
      header: t('publications:playlist'),
      cell: row => <EntityLink entity={row.playlist} to={paths.playlist} />,
      cardCell: ({ playlist, playlistState }) => (
        <>
          <EntityLink entity={playlist} to={paths.playlist} /> · {t(`states.playlist.${playlistState}`)}
        </>
      ),
    },
    {
      id: 'formerPlaylist',
      header: t('publications:previousPlaylist'),
      only: 'card',
      isShown: ({ formerPlaylist }) => formerPlaylist !== null,
      cell: ({ formerPlaylist }) =>
        formerPlaylist && (
          <>
            <EntityLink entity={formerPlaylist} to={paths.playlist} /> ·{' '}
            {t(`states.playlist.${formerPlaylist.state}`)}
          </>
        ),
    },
    {
      id: 'readiness',
      header: t('publications:readiness'),
      only: 'list',
      cell: ({ readiness }) =>
        readiness && (
          <ReadinessBar readiness={readiness} text={describeReadiness({ t, format }, readiness)} />
        ),
    },
    {
      id: 'startsAt',
      isMinor: true,
      // A planned start says by whose clock, which no line has room for in each language.
      isProse: true,
      header: t('publications:began'),
      only: 'list',
      cell: began,
    },
    {
      id: 'kind',
      header: t('publications:kind'),
      isHiddenAtFirst: true,
      cell: row => t(`kinds.${row.kind}`),
    },
    {
      id: 'created',
      header: t('publications:created'),
      only: 'card',
      cell: ({ createdAt }) => format.dateTime(createdAt),
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
      isShown: ({ description }) => description !== '',
      cell: row => row.description,
    },
  ]
}
