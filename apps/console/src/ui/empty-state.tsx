import { Stack, Text, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './panels.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  /** The purpose of the list. */
  text: string
  /** The button that adds the first item. */
  action?: ReactNode
}

/** Shown for an empty list: its purpose and the button that adds the first item. */
export function EmptyState({ icon: Glyph, title, text, action }: EmptyStateProps) {
  return (
    <Stack className={styles.empty} align="center" gap="xs">
      <Glyph size={40} stroke={1.25} aria-hidden className={styles.emptyIcon} />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={480}>
        {text}
      </Text>
      {action !== undefined && <div className={styles.emptyAction}>{action}</div>}
    </Stack>
  )
}
