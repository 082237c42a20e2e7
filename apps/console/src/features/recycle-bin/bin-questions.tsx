import { previewManyBinned, purgeMany, restoreMany, type BinAction } from '@floorcast/contract/bulk-calls.ts'
import type { BinKind, BinRow, NeededItem } from '@floorcast/contract/recycle-bin.ts'
import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { isOverPlan, toastFailure } from '../../platform/outcomes.ts'
import { entityOfBin } from '../../platform/query-keys.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { type BinQuery, binSearch, useRestoreWithNeeds } from './bin-data.ts'
import { DependentsList } from './dependents-list.tsx'
import styles from './recycle-bin.module.css'

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

interface RestoreNeedsProps {
  x: BinKind
  row: BinRow
  /** The items of the bin that it needs. */
  needs: readonly NeededItem[]
  onRestored: (name: string) => void
  onClose: () => void
}

/** Says what an item needs that is in the bin too, and restores all of it together. */
export function RestoreNeeds({ x, row, needs, onRestored, onClose }: RestoreNeedsProps) {
  const { t } = useTranslate()
  const { mutateAsync } = useRestoreWithNeeds(x)
  const restore = async () => {
    try {
      const { name } = await mutateAsync(row.uid)
      onRestored(name ?? row.name)
    } catch (error) {
      // The message leads to the plans.
      if (!isOverPlan(error)) throw error
      toastFailure(error)
    }
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('recycle:needs.title')}
      confirmLabel={t('recycle:needs.restore')}
      onConfirm={restore}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>{t('recycle:needs.text', { name: row.name })}</Text>
        <ul className={styles.items} tabIndex={0} aria-label={t('recycle:needs.title')}>
          {needs.map(need => (
            <li key={need.uid}>
              <Text span c="dimmed" size="sm">
                {t(`recycle:kinds.${need.kind}`)}
              </Text>
              <Anchor component={Link} to={binSearch(need.kind, need.name)} onClick={onClose}>
                <bdi>{need.name}</bdi>
              </Anchor>
            </li>
          ))}
        </ul>
      </Stack>
    </ConfirmDialog>
  )
}
