import { Group, Title } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import styles from './panels.module.css'

interface PanelProps {
  title?: string
  /** The heading, which can take the focus then. */
  headingRef?: Ref<HTMLHeadingElement> | undefined
  /** Buttons or a figure at the end of the heading. */
  end?: ReactNode
  children: ReactNode
}

/** A box with a hairline border, which groups parts of a page. */
export function Panel({ title, headingRef, end, children }: PanelProps) {
  return (
    <section className={styles.panel} {...(title === undefined ? {} : { 'aria-label': title })}>
      {title !== undefined && (
        <Group className={styles.heading} justify="space-between" gap="xs">
          <Title order={2} {...(headingRef ? { ref: headingRef, tabIndex: -1 } : {})}>
            {title}
          </Title>
          {end}
        </Group>
      )}
      {children}
    </section>
  )
}
