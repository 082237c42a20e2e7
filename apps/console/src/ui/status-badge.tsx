import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconClockFilled,
  IconPlayerPauseFilled,
  type Icon,
} from '@tabler/icons-react'
import styles from './status-badge.module.css'

/** The severity of a state. Color, shape and text are always shown together. */
export type StatusTone = 'good' | 'late' | 'down' | 'none' | 'paused' | 'waiting'

const shapes: Record<StatusTone, Icon> = {
  good: IconCircleCheckFilled,
  late: IconAlertTriangleFilled,
  down: IconCircleXFilled,
  none: IconCircleDashed,
  paused: IconPlayerPauseFilled,
  waiting: IconClockFilled,
}

export function StatusBadge({ tone, children }: { tone: StatusTone; children: string }) {
  const Shape = shapes[tone]
  return (
    <span className={styles.badge} data-tone={tone}>
      <Shape size={16} aria-hidden />
      <span className={styles.text}>{children}</span>
    </span>
  )
}
