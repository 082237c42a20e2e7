import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './dashboard.module.css'

interface FigureCardProps {
  label: string
  figure: ReactNode
  /** What the figure is out of, or made of. */
  note?: string
  /** How full it is, 0 to 1. */
  share?: number
  /** The list behind the figure. */
  to?: string
}

/** One figure of the dashboard. */
export function FigureCard({ label, figure, note, share, to }: FigureCardProps) {
  const body = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.figure}>{figure}</span>
      {share !== undefined && (
        <Progress
          value={Math.min(100, share * 100)}
          size={4}
          color={share >= 0.9 ? 'amber' : 'gray'}
          aria-label={label}
        />
      )}
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </>
  )
  if (to === undefined) return <div className={styles.card}>{body}</div>
  return (
    <Link to={to} className={styles.card} data-link>
      {body}
    </Link>
  )
}
