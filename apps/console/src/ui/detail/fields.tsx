import { useWords } from '../../platform/i18n.ts'
import type { ReactNode } from 'react'
import styles from './detail.module.css'

/** Names and values of a thing; a value that is not known says so, never an empty place. */
export function Fields({ children }: { children: ReactNode }) {
  return <dl className={styles.fields}>{children}</dl>
}

export function Field({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useWords()
  const isKnown = children !== null && children !== undefined && children !== ''
  return (
    <div className={styles.field}>
      <dt>{label}</dt>
      <dd>{isKnown ? children : <span className={styles.unknown}>{t('unknown')}</span>}</dd>
    </div>
  )
}
