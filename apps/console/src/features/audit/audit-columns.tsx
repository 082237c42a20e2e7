import type { AuditEntry } from '@floorcast/contract/audit.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { EntityLink } from '../../ui/entity-link.tsx'
import { describeAction, describeKind, isAuditedKind } from './audit-words.ts'
import { pageOf } from './changed-items.tsx'
import { ChangesCell } from './changes.tsx'

function ItemName({ entry }: { entry: AuditEntry }) {
  const { type, class: action, thingUid, thingName } = entry
  const page = isAuditedKind(type) ? pageOf[type] : undefined
  if (thingName === null || thingName === '') return null
  if (!page || thingUid === null || action === 'purge') return <bdi>{thingName}</bdi>
  return <EntityLink entity={{ uid: thingUid, name: thingName }} to={page} />
}

/** The columns of the change history; ids are what the server sorts by. */
export function auditColumns(
  t: Translate,
  format: Format,
  show: (entry: AuditEntry) => void,
): ListColumn<AuditEntry>[] {
  return [
    {
      id: 'eventTime',
      header: t('logs:inZone', { name: t('audit:columns.time'), zone: format.zone }),
      isSortable: true,
      cell: entry => (
        <time dateTime={entry.eventTime} title={`${format.wallTime(entry.eventTime)} UTC`}>
          {format.moment(entry.eventTime)}
        </time>
      ),
    },
    {
      id: 'comment',
      header: t('audit:columns.user'),
      isSortable: true,
      cell: entry => <bdi>{entry.userName}</bdi>,
    },
    {
      id: 'class',
      header: t('audit:columns.action'),
      isSortable: true,
      cell: entry => describeAction(t, entry.class),
    },
    {
      id: 'type',
      header: t('audit:columns.kind'),
      isSortable: true,
      isMinor: true,
      cell: entry => describeKind(t, entry.type),
    },
    {
      id: 'description',
      header: t('audit:columns.item'),
      isSortable: true,
      cell: entry => <ItemName entry={entry} />,
    },
    {
      id: 'changes',
      header: t('audit:columns.changes'),
      isProse: true,
      cell: entry => <ChangesCell entry={entry} show={show} />,
    },
    {
      id: 'request',
      header: t('audit:columns.request'),
      isHiddenAtFirst: true,
      cell: entry => entry.request && <bdi dir="ltr">{entry.request}</bdi>,
    },
  ]
}
