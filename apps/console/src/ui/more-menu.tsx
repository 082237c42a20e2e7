import { ActionIcon } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../platform/i18n.ts'
import { Menu } from './overlay/overlays.tsx'

interface MoreMenuProps {
  label: string
  /** null: there is nothing to delete, or the user may not. */
  onDelete: (() => void) | null
  /** Default: 'Move to the recycle bin'. */
  deleteLabel?: string
  /** In a row of a table: smaller, without a border. */
  isInRow?: boolean
  /** Menu items before 'Move to the recycle bin'. */
  children?: ReactNode
}

/** The menu of the rare actions of a page or a list and, at the end, the recycle bin. */
export function MoreMenu({ label, onDelete, deleteLabel, isInRow = false, children }: MoreMenuProps) {
  const { t } = useTranslate()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={label} {...(isInRow ? {} : { variant: 'default', size: 36 })}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {onDelete && (
          <Menu.Item c="var(--fc-down)" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
            {deleteLabel ?? t('moveToBin')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
