import { Stack, Text, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './panels.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  /** What this is for. */
  text: string
  /** The button that begins it. */
  action?: ReactNode
}

/** Nothing is here yet: what this is for, and how it begins. */
export function EmptyState({ icon: Glyph, title, text, action }: EmptyStateProps) {
  return (
    <Stack className={styles.empty} align="center" gap="xs">
      <Glyph size={40} stroke={1.25} aria-hidden className={styles.emptyIcon} />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={480}>
        {text}
      </Text>
      {action}
    </Stack>
  )
}
