import { Group, Title, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useState, type ReactNode, type Ref } from 'react'
import { readStored, writeStored } from '../platform/storage.ts'
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

interface FoldedPanelProps {
  title: string
  /** What one wants to know of the content without opening it. */
  note: ReactNode
  /** The key under which this browser stores that it is open. */
  storedAs: string
  children: ReactNode
}

/** A panel that shows its heading alone until it is opened; it opens again with the page. */
export function FoldedPanel({ title, note, storedAs, children }: FoldedPanelProps) {
  const [isOpen, setIsOpen] = useState(() => readStored(storedAs) === 'open')
  const content = useId()
  const toggle = () => {
    setIsOpen(!isOpen)
    writeStored(storedAs, isOpen ? null : 'open')
  }
  return (
    <section className={styles.panel} aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={2}>
          <UnstyledButton
            className={styles.fold}
            aria-expanded={isOpen}
            aria-controls={content}
            onClick={toggle}
          >
            <IconChevronDown size={18} className={styles.chevron} aria-hidden />
            {title}
          </UnstyledButton>
        </Title>
        <span className={styles.foldNote}>{note}</span>
      </Group>
      <div id={content} hidden={!isOpen} className={styles.folded}>
        {isOpen && children}
      </div>
    </section>
  )
}
