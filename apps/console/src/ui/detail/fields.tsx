import { useTranslate } from '../../platform/i18n.ts'
import type { ReactNode } from 'react'
import { isBlank } from '../data-table/list-column.ts'
import styles from './detail.module.css'

/** Names and values of an item. An unknown value shows a text, never an empty place. */
export function Fields({ children }: { children: ReactNode }) {
  return <dl className={styles.fields}>{children}</dl>
}

interface FieldProps {
  label: string
  children: ReactNode
  /** A sentence, on a separate line. */
  isWide?: boolean
}

export function Field({ label, children, isWide = false }: FieldProps) {
  const { t } = useTranslate()
  return (
    <div className={styles.field} data-wide={isWide || undefined}>
      <dt>{label}</dt>
      <dd>{isBlank(children) ? <span className={styles.unknown}>{t('unknown')}</span> : children}</dd>
    </div>
  )
}
