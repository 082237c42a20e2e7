import { useTranslate } from '../../platform/i18n.ts'
import type { ReactNode } from 'react'
import { isBlank } from '../data-table/list-column.ts'
import styles from './detail.module.css'

/** Names and values of an item. An unknown value shows a dash, never an empty place. */
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
  return (
    <div className={styles.field} data-wide={isWide || undefined}>
      <dt>{label}</dt>
      <dd>{isBlank(children) ? <Unknown /> : children}</dd>
    </div>
  )
}

/** A dash, which screen readers would not say. */
function Unknown() {
  const { t } = useTranslate()
  return (
    <span className={styles.unknown}>
      <span aria-hidden>–</span>
      <span className="fc-unseen">{t('unknown')}</span>
    </span>
  )
}
