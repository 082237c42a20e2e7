import type { BinKind, BinRow, NeededItem } from '@floorcast/contract/recycle-bin.ts'
import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { isOverPlan, toastFailure } from '../../platform/outcomes.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { binSearch, useRestoreWithNeeds } from './bin-data.ts'
import styles from './recycle-bin.module.css'

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
