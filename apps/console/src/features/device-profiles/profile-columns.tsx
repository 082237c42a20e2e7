import type { ProfileCard, ProfileRow } from '@floorcast/contract/device-profiles.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Active, or paused, which is shown as 'Being edited' (docs/specification.md#4-states-and-transitions). */
export function ProfileStateBadge({ state }: { state: EditState }) {
  const { t } = useTranslate()
  return (
    <StatusBadge tone={state === 'active' ? 'good' : 'paused'}>{t(`states.profile.${state}`)}</StatusBadge>
  )
}

/** Names in a cell; the rest as a number. */
const MAX_NAMES = 3

function nameGroups(t: Translate, format: Format, { groups }: ProfileRow): string | null {
  const names = groups
    .map(({ name }) => name)
    .toSorted(format.compareNames)
    .slice(0, MAX_NAMES)
  const others = groups.length - names.length
  if (others > 0) names.push(t('list:moreNames', { shown: format.number(others) }))
  return names.length > 0 ? format.list(names) : null
}

/** The fields of list and card; ids are what the server sorts by. */
export function profileFields(t: Translate, format: Format): ItemField<ProfileRow, ProfileCard>[] {
  return [
    { id: 'name', header: t('name'), only: 'list', isSortable: true, cell: row => row.name },
    {
      id: 'type',
      header: t('profiles:type'),
      isSortable: true,
      cell: row => t(`profiles:types.${row.type}`),
    },
    {
      id: 'state',
      header: t('profiles:state'),
      only: 'list',
      isSortable: true,
      cell: row => <ProfileStateBadge state={row.state} />,
    },
    {
      id: 'groups',
      header: t('profiles:groups'),
      only: 'list',
      isProse: true,
      cell: row => nameGroups(t, format, row) ?? t('profiles:noGroups'),
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      none: t('profiles:none'),
      cell: row => row.description,
    },
    {
      id: 'created',
      header: t('profiles:created'),
      only: 'card',
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    {
      id: 'changedAt',
      header: t('profiles:changed'),
      isSortable: true,
      isMinor: true,
      cell: row => format.dateTime(row.changedAt),
    },
  ]
}
