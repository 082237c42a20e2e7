import { previewManyBinned, purgeMany, restoreMany, type BinAction } from '@floorcast/contract/bulk-calls.ts'
import type { BinKind, BinRow } from '@floorcast/contract/recycle-bin.ts'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { entityOfBin } from '../../platform/query-keys.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import type { BinQuery } from './bin-data.ts'
import { DependentsList } from './dependents-list.tsx'

interface BulkBinProps {
  x: BinKind
  action: BinAction
  selection: Selection
  /** A single item, of its own menu, whose dependents are shown; null for a selection. */
  item: Pick<BinRow, 'uid' | 'name'> | null
  query: BinQuery
  onClose: () => void
  onDone: () => void
}

/** Restores or purges items of the bin. It says beforehand what is lost, and which items stay because another one needs them. */
export function BulkBin({ x, action, selection, item, query, onClose, onDone }: BulkBinProps) {
  const { t } = useTranslate()
  const params = { x }
  const isPurge = action === 'purge'
  const doneText = (count: number) =>
    isPurge && item && count === 1
      ? t('recycle:purge.doneOne', { name: item.name })
      : t(isPurge ? 'recycle:purge.done' : 'restored', { count })
  return (
    <BulkDialog
      title={
        item
          ? t('recycle:purge.titleOne', { name: item.name })
          : t(isPurge ? 'recycle:purge.title' : 'recycle:restore.title', { count: selection.count })
      }
      confirmLabel={t(isPurge ? 'recycle:purge.button' : 'recycle:restore.button')}
      isDanger={isPurge}
      selection={selection}
      filter={query}
      calls={{
        entity: entityOfBin[x],
        key: [action, x],
        preview: items => call(previewManyBinned, { params, body: { items, action } }),
        run: items =>
          isPurge ? call(purgeMany, { params, body: items }) : call(restoreMany, { params, body: items }),
      }}
      doneText={doneText}
      consequence={
        isPurge
          ? t(`recycle:purge.text.${x}`)
          : t(`recycle:restore.text.${x}`, { ending: t('recycle:restoredEnding') })
      }
      describe={
        item ? null : count => t(isPurge ? 'recycle:purge.count' : 'recycle:restore.count', { count })
      }
      onClose={onClose}
      onDone={onDone}
    >
      {item && <DependentsList x={x} uid={item.uid} />}
    </BulkDialog>
  )
}
