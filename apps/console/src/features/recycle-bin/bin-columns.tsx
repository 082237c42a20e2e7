import type { BinKind, BinRow } from '@floorcast/contract/recycle-bin.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { mediaItemNames } from '../../platform/media-item-names.ts'
import { useNow } from '../../platform/use-now.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const DAY_MS = 86_400_000

/** The days until an instant, begun ones as whole; 0 or less once it has passed. @param nowMs in ms since the epoch */
export const daysUntil = (instant: string, nowMs: number): number =>
  Math.ceil((Date.parse(instant) - nowMs) / DAY_MS)

/** Fewer days than these are a warning. */
const FEW_DAYS = 3
const tickMs = 60_000

/** The days until the purge; amber when they are few. */
function DaysLeft({ purgedAt }: Pick<BinRow, 'purgedAt'>) {
  const { t } = useTranslate()
  const days = daysUntil(purgedAt, useNow(tickMs))
  // An item that another one needs stays until that one is purged.
  const text = days <= 0 ? t('recycle:due') : t('recycle:days', { count: days })
  return days < FEW_DAYS ? <StatusBadge tone="late">{text}</StatusBadge> : text
}

/** The columns of one kind's list; ids are what the server sorts by. */
export function binColumns(t: Translate, x: BinKind): ListColumn<BinRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'kind',
      header: t('recycle:columns.kind'),
      isMinor: x !== 'media',
      cell: ({ kind, mediaType }) =>
        mediaType === null ? kind && t(`kinds.${kind}`) : t(`routes:${mediaItemNames[mediaType]}`),
    },
    {
      id: 'deletedAt',
      header: t('recycle:columns.deletedAt'),
      isSortable: true,
      cell: row => <RelativeTime instant={row.deletedAt} />,
    },
    {
      id: 'deletedBy',
      header: t('recycle:columns.deletedBy'),
      isSortable: true,
      cell: ({ deletedBy }) => deletedBy && <bdi>{deletedBy}</bdi>,
    },
    {
      id: 'purgedAt',
      header: t('recycle:columns.purgedAt'),
      cell: row => <DaysLeft purgedAt={row.purgedAt} />,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: row => row.description,
    },
  ]
}
