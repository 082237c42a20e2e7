import { IconCopyPlus } from '@tabler/icons-react'
import type { Translate } from '../../platform/i18n.ts'
import type { RowAction } from '../data-table/list-column.ts'
import { Menu } from '../overlay/overlays.tsx'

/** The entry 'Duplicate' of the rows' menus of a list. */
export const duplicateRow = <Row,>(t: Translate, run: (row: Row) => void): RowAction<Row> => ({
  label: t('shell:duplicate.button'),
  icon: <IconCopyPlus size={16} aria-hidden />,
  run,
})

/** The same of the menu of a page. */
export function DuplicateItem({ t, onClick }: { t: Translate; onClick: () => void }) {
  return (
    <Menu.Item leftSection={<IconCopyPlus size={16} aria-hidden />} onClick={onClick}>
      {t('shell:duplicate.button')}
    </Menu.Item>
  )
}
