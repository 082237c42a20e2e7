import {
  changeManyPublications,
  previewManyPublications,
  type PublicationAction,
} from '@floorcast/contract/bulk-calls.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import type { listPublications, PublicationRow } from '@floorcast/contract/publications.ts'
import { useMemo } from 'react'
import { call } from '../../platform/client.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'

interface BulkPublicationsProps {
  action: PublicationAction
  selection: Selection
  /** A single publication, of its own menu; null for a selection. */
  item: Pick<PublicationRow, 'name'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listPublications>
  onClose: () => void
  onDone: () => void
}

const confirmOf = (t: Translate, action: PublicationAction) => {
  if (action === 'delete') return t('moveToBin')
  return t(action === 'turn-on' ? 'publications:activate' : 'publications:deactivate')
}

/**
 * Turns publications on or off, or deletes them; an active or scheduled one stays (docs/specification.md#8-error-catalogue,
 * code 400).
 */
export function BulkPublications(props: BulkPublicationsProps) {
  const { action, selection, item, kind = 'all', query, onClose, onDone } = props
  const { t } = useTranslate()
  const undoOf = useUndoOf()
  const filter = useMemo(() => ({ ...query, kind }), [query, kind])
  const { count } = selection
  const turnOff = (uids: string[]) =>
    call(changeManyPublications, { body: { items: { uids }, action: 'turn-off' } })
  const undoes = {
    'turn-on': undoOf.call('publication', turnOff),
    // A scheduled one would start at once.
    'turn-off': null,
    delete: undoOf.restore('publications'),
  }
  const doneText = (done: number) => {
    if (action !== 'delete') return t(`bulk:publications.${action}.done`, { count: done })
    return item && done === 1
      ? t('publications:deletedOne', { name: item.name })
      : t('publications:deleted', { count: done })
  }
  const describeDelete = (planned: number) =>
    item ? t('publications:delete.off', { name: item.name }) : t('bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={
        action === 'delete'
          ? t('publications:delete.title', { count })
          : t(`bulk:publications.${action}.title`, { count })
      }
      confirmLabel={confirmOf(t, action)}
      isDanger={action !== 'turn-on'}
      selection={selection}
      filter={filter}
      calls={{
        entity: 'publication',
        key: action,
        removes: action === 'delete',
        preview: items => call(previewManyPublications, { body: { items, action } }),
        run: items => call(changeManyPublications, { body: { items, action } }),
      }}
      doneText={doneText}
      undo={undoes[action]}
      consequence={action !== 'delete' && t(`bulk:publications.${action}.text`)}
      describe={action === 'delete' ? describeDelete : undefined}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
