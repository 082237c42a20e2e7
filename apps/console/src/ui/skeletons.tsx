import { Button, Skeleton } from '@mantine/core'
import styles from './skeletons.module.css'

/** Holds the place of a text that is loading. @param text what it may be: it is not shown, and gives the bars their length */
export function TextSkeleton({ text }: { text: string }) {
  return (
    <span className={styles.text} data-skeleton aria-hidden>
      <span>{text}</span>
    </span>
  )
}

/** Holds the place of a button that depends on a pending answer. */
export function ButtonSkeleton({ label, hasIcon = false }: { label: string; hasIcon?: boolean }) {
  const icon = hasIcon && <span style={{ inlineSize: 16 }} />
  return (
    <Skeleton width="fit-content" data-skeleton aria-hidden>
      <Button component="span" leftSection={icon}>
        {label}
      </Button>
    </Skeleton>
  )
}
