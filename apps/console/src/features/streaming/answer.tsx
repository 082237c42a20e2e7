import { Center, Stack, Text, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './streaming.module.css'

interface AnswerProps {
  icon: Icon
  title: string
  text: string
  children?: ReactNode
}

/** Replaces a player: says why nothing plays here. */
export function Answer({ icon: Glyph, title, text, children }: AnswerProps) {
  return (
    <Center mih="50vh">
      <Stack align="center" gap="xs" ta="center" maw={480}>
        <Glyph size={40} stroke={1.25} aria-hidden className={styles.glyph} />
        <Title order={2}>{title}</Title>
        {text !== '' && <Text c="dimmed">{text}</Text>}
        {children}
      </Stack>
    </Center>
  )
}
