import type { PublicationAction } from '@floorcast/contract/bulk-calls.ts'
import { Kind, KindFilter } from '@floorcast/contract/fields.ts'
import { PublicationFilter, PublicationState, type PublicationRow } from '@floorcast/contract/publications.ts'
import { Group } from '@mantine/core'
import { IconBroadcast, IconBroadcastOff, IconPlus } from '@tabler/icons-react'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { lists } from '../../platform/lists.ts'
import { paths } from '../../platform/paths.ts'
import type { useBulkRequest } from '../../ui/bulk/use-bulk-request.tsx'
import { ListActions } from '../../ui/data-table/list-actions.tsx'
import { itemListPage } from '../../ui/item-list/item-list-page.tsx'
import { readFilter } from '../../ui/data-table/list-address.ts'
import type { BulkAction, ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { publicationFields } from './publication-columns.tsx'
import { publicationQueries, useRenamePublication } from './publications-data.ts'
import { BulkPublications, DuplicatePublication, PublicationForm } from './publication-dialogs.ts'

/** Every publication of the client: what plays where. */
export const PublicationsPage = itemListPage({
  name: 'publications',
  label: t => t('routes:publications'),
  icon: IconBroadcast,
  empty: t => ({ title: t('publications:empty.title'), text: t('publications:empty.text') }),
  defaults: lists.publications,
  read: query => ({
    kind: KindFilter.catch('all').parse(query['kind']),
    query: readFilter(PublicationFilter, query),
  }),
  rows: ({ kind, query }) => publicationQueries.list(kind, query),
  columns: (t, format) => listColumns(publicationFields(t, format)),
  filters: publicationFilters,
  pathOf: paths.publication,
  useRename: useRenamePublication,
  addButtons: (_, open) => <AddButtons onAdd={() => open('add')} />,
  form: props => <PublicationForm {...props} />,
  copy: (publication: PublicationRow, onClose) => (
    <DuplicatePublication publication={publication} onClose={onClose} />
  ),
  bulk: {
    actions: bulkActions,
    dialog: (request, asked, onClose) => <BulkPublications {...request} {...asked} onClose={onClose} />,
  },
})

/** Adds a publication, turned off, or publishes at once. */
function AddButtons({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslate()
  return (
    <Group gap="xs">
      <ListActions
        actions={[{ label: t('publications:add'), icon: <IconPlus size={16} aria-hidden />, run: onAdd }]}
      />
      <PublishButton start={{}} isMain />
    </Group>
  )
}

type BulkRequests = ReturnType<typeof useBulkRequest<PublicationAction, PublicationRow>>

function bulkActions(t: Translate, { ask, deleteMany }: BulkRequests): BulkAction[] {
  return [
    {
      label: t('publications:activate'),
      icon: <IconBroadcast size={16} aria-hidden />,
      run: ask('turn-on'),
    },
    {
      label: t('publications:deactivate'),
      icon: <IconBroadcastOff size={16} aria-hidden />,
      run: ask('turn-off'),
    },
    deleteMany,
  ]
}

function publicationFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('publications:state'),
      options: PublicationState.options.map(value => ({
        value,
        label: t(`publications:states.${value}`),
      })),
    },
    {
      name: 'kind',
      label: t('publications:kind'),
      options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    },
  ]
}
