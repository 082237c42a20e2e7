import type { AlertRow } from '@floorcast/contract/alerts.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { nameAlert, nameTarget, secondsOf } from './alert-words.ts'

/** On, a drill that is on, or ended. */
export function AlertStateBadge({ alert, t }: { alert: AlertRow; t: Translate }) {
  if (alert.endedAt !== null) return <StatusBadge tone="none">{t('alerts:states.ended')}</StatusBadge>
  return <StatusBadge tone={alert.isDrill ? 'late' : 'down'}>{t('alerts:states.open')}</StatusBadge>
}

const hasEnded = ({ endedAt }: AlertRow) => endedAt !== null

/** The fields of the history and of an alert's page; ids are what the server sorts by. */
export function alertFields(t: Translate, format: Format): ItemField<AlertRow, AlertRow>[] {
  return [
    {
      id: 'kind',
      header: t('alerts:columns.alert'),
      only: 'list',
      isSortable: true,
      cell: row => nameAlert(t, row),
    },
    {
      id: 'purpose',
      header: t('alerts:columns.purpose'),
      cell: row => t(row.isDrill ? 'alerts:purposes.drill' : 'alerts:purposes.alert'),
    },
    {
      id: 'target',
      header: t('alerts:columns.target'),
      cell: ({ target }) => <Target t={t} target={target} />,
    },
    {
      id: 'state',
      header: t('alerts:columns.state'),
      only: 'list',
      cell: row => <AlertStateBadge alert={row} t={t} />,
    },
    {
      id: 'beganAt',
      header: t('alerts:columns.beganAt'),
      isSortable: true,
      cell: row => format.moment(row.beganAt),
    },
    {
      id: 'beganBy',
      header: t('alerts:columns.beganBy'),
      cell: row => row.beganBy && <bdi>{row.beganBy}</bdi>,
    },
    {
      id: 'lasted',
      header: t('alerts:columns.lasted'),
      isNumber: true,
      isMinor: true,
      isShown: hasEnded,
      cell: row => row.endedAt !== null && format.span(secondsOf(row, 0)),
    },
    {
      id: 'sounded',
      header: t('alerts:columns.sounded'),
      isNumber: true,
      cell: row =>
        row.deviceCount === null
          ? format.number(row.soundedCount)
          : t('alerts:soundedOf', {
              sounded: format.number(row.soundedCount),
              devices: format.number(row.deviceCount),
            }),
    },
    {
      id: 'endedAt',
      header: t('alerts:columns.endedAt'),
      isSortable: true,
      isHiddenAtFirst: true,
      isShown: hasEnded,
      cell: row => row.endedAt && format.moment(row.endedAt),
    },
    {
      id: 'endedBy',
      header: t('alerts:columns.endedBy'),
      isHiddenAtFirst: true,
      isShown: hasEnded,
      cell: row => row.endedBy && <bdi>{row.endedBy}</bdi>,
    },
  ]
}

/** The device or group as a link to its page, unless it is gone. */
function Target({ t, target }: { t: Translate; target: AlertRow['target'] }) {
  const { kind, uid, name } = target
  if (kind === 'all' || uid === null || name === null) return nameTarget(t, target)
  return <EntityLink entity={{ uid, name }} to={kind === 'group' ? paths.group : paths.device} />
}
