import {
  deleteManyPublications,
  deletePublication,
  type listPublications,
  type PublicationRow,
} from '@floorcast/contract/publications.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import { call, change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMoveToRecycleBin } from '../../ui/recycle-bin/use-move-to-recycle-bin.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'

interface DeletePublicationsProps {
  selection: Selection
  item: Pick<PublicationRow, 'uid' | 'name' | 'state'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listPublications>
  onClose: () => void
  onDeleted: () => void
}

/**
 * Moves publications to the recycle bin; an active or scheduled one stays (docs/specification.md#8-error-catalogue,
 * code 400).
 */
export function DeletePublications(props: DeletePublicationsProps) {
  const { selection, item, kind = 'all', query, onClose, onDeleted } = props
  const { t } = useTranslate()
  const remove = useMoveToRecycleBin({
    calls: {
      kind: 'publications',
      one: uid => change(deletePublication, { body: { uid } }),
      many: body => call(deleteManyPublications, { body }),
    },
    selection,
    filter: { ...query, kind },
    successMessage: count =>
      item ? t('publications:deletedOne', { name: item.name }) : t('publications:deleted', { count }),
    onDeleted,
  })
  const isOn = item !== null && item.state !== 'disabled'
  return (
    <ConfirmDialog
      isOpen
      title={t('publications:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {item === null
        ? t('publications:delete.many')
        : t(isOn ? 'publications:delete.on' : 'publications:delete.off', { name: item.name })}
    </ConfirmDialog>
  )
}
