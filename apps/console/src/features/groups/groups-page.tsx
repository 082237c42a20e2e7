import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { EditState, type GroupRow } from '@floorcast/contract/groups.ts'
import { IconStack2 } from '@tabler/icons-react'
import type { Translate } from '../../platform/i18n.ts'
import { lists } from '../../platform/lists.ts'
import { paths } from '../../platform/paths.ts'
import { editActions } from '../../ui/bulk/edit-bulk-actions.tsx'
import { AddButton, itemListPage } from '../../ui/item-list/item-list-page.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { groupFields } from './group-columns.tsx'
import { BulkGroups, DuplicateGroup, GroupForm } from './group-dialogs.ts'
import { groupsQuery, useRenameGroup } from './groups-data.ts'

/** The list of groups. */
export const GroupsPage = itemListPage({
  name: 'groups',
  label: t => t('routes:groups'),
  icon: IconStack2,
  empty: t => ({ title: t('groups:empty.title'), text: t('groups:empty.text') }),
  defaults: lists.groups,
  // The kind is a part of the call's path.
  read: ({ kind, ...query }) => ({
    kind: Kind.options.find(known => known === kind) ?? ('all' as const),
    query,
  }),
  rows: ({ kind, query }) => groupsQuery(kind, query),
  columns: (t, format) => listColumns(groupFields(t, format)),
  filters,
  pathOf: paths.group,
  useRename: useRenameGroup,
  addButtons: (t, open) => <AddButton label={t('groups:add')} onClick={() => open('add')} />,
  form: props => <GroupForm {...props} />,
  copy: (group: GroupRow, onClose) => <DuplicateGroup group={group} onClose={onClose} />,
  bulk: {
    actions: editActions,
    dialog: ({ action, ...request }, asked, onClose) => (
      <BulkGroups action={action satisfies EditAction} {...request} {...asked} onClose={onClose} />
    ),
  },
})

function filters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('groups:columns.state'),
      options: EditState.options.map(value => ({ value, label: t(`states.group.${value}`) })),
    },
    {
      name: 'kind',
      label: t('groups:columns.kind'),
      options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    },
  ]
}
