import { useTranslate } from '../../platform/i18n.ts'
import { ActionIcon, Button, CloseButton, Group, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Menu } from '../overlay/overlays.tsx'
import styles from './data-table.module.css'
import type { BulkAction } from './list-column.ts'
import type { SelectionControl } from './use-selection.ts'

interface BulkBarProps {
  control: SelectionControl
  actions: readonly BulkAction[]
  total: number
  onPage: readonly string[]
}

/** How many are chosen, the way to choose all that match, and what can be done with them. */
export function BulkBar({ control, actions, total, onPage }: BulkBarProps) {
  const { t } = useTranslate()
  const { selection } = control
  const isWholePage = onPage.length > 0 && onPage.every(uid => control.has(uid))
  return (
    <Group className={styles.bulk} gap="xs" role="region" aria-label={t('list:chosenActions')}>
      <Text size="sm" fw={600} aria-live="polite">
        {t('list:chosen', { count: selection.count })}
      </Text>
      {selection.kind === 'some' && isWholePage && total > onPage.length && (
        <Button variant="subtle" size="compact-sm" onClick={control.chooseAll}>
          {t('list:chooseAll', { count: total })}
        </Button>
      )}
      <Group gap="xs" className={styles.toolbarEnd}>
        {actions
          .filter(({ isInMenu }) => !isInMenu)
          .map(action => (
            <Button
              key={action.label}
              size="compact-sm"
              variant="light"
              {...(action.isDanger ? { color: 'red' } : {})}
              leftSection={action.icon}
              onClick={() => action.run(selection, control.clear)}
            >
              {action.label}
            </Button>
          ))}
        <BulkMenu control={control} actions={actions.filter(({ isInMenu }) => isInMenu)} />
        <CloseButton aria-label={t('list:chooseNone')} onClick={control.clear} />
      </Group>
    </Group>
  )
}

/** The rarer actions. */
function BulkMenu({ control, actions }: Pick<BulkBarProps, 'control' | 'actions'>) {
  const { t } = useTranslate()
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="light" size={26} aria-label={t('moreActions')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon, run }) => (
          <Menu.Item key={label} leftSection={icon} onClick={() => run(control.selection, control.clear)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
