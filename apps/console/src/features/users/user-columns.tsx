import type { UserRow } from '@floorcast/contract/users.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useNow } from '../../platform/use-now.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { EntityLink } from '../../ui/entity-link.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { nameUser } from './user-names.ts'

/** The columns of the list; ids are what the server sorts by. @param ownUid the user of this console */
export function userColumns(t: Translate, format: Format, ownUid: string): ListColumn<UserRow>[] {
  return [
    {
      id: 'lastName',
      header: t('users:columns.name'),
      isSortable: true,
      cell: row => <bdi>{row.uid === ownUid ? t('users:you', { name: nameUser(row) }) : nameUser(row)}</bdi>,
    },
    {
      id: 'email',
      header: t('users:columns.email'),
      isSortable: true,
      cell: row => <bdi dir="ltr">{row.email}</bdi>,
    },
    {
      id: 'role',
      header: t('users:columns.role'),
      isSortable: true,
      cell: row => t(`users:roles.${row.role}`),
    },
    {
      id: 'rights',
      header: t('users:columns.rights'),
      isMinor: true,
      isLabeled: true,
      cell: row => t(`users:rights.${row.rights}`),
    },
    {
      id: 'state',
      header: t('users:columns.state'),
      cell: row => (
        <StatusBadge tone={row.isInvited ? 'waiting' : 'good'}>
          {t(row.isInvited ? 'users:states.invited' : 'users:states.active')}
        </StatusBadge>
      ),
    },
    {
      id: 'secondFactor',
      header: t('users:columns.secondFactor'),
      isMinor: true,
      isLabeled: true,
      cell: row => t(row.hasSecondFactor ? 'users:factor.on' : 'users:factor.off'),
    },
    {
      id: 'lastSeenAt',
      header: t('users:columns.lastSeen'),
      cell: row => row.lastSeenAt && <Seen at={row.lastSeenAt} t={t} format={format} />,
    },
    {
      id: 'device',
      header: t('users:columns.device'),
      isMinor: true,
      cell: row => row.linkedDevice && <EntityLink entity={row.linkedDevice} to={paths.device} />,
    },
    {
      id: 'createdAt',
      header: t('users:columns.created'),
      isSortable: true,
      isHiddenAtFirst: true,
      cell: row => format.dateTime(row.createdAt),
    },
  ]
}

const minuteMs = 60_000

/** 'Seen 2 hours ago', with the exact time on hover. */
function Seen({ at, t, format }: { at: string; t: Translate; format: Format }) {
  const now = useNow(minuteMs)
  return <span title={format.dateTime(at)}>{t('activity:seen', { time: format.relative(at, now) })}</span>
}
