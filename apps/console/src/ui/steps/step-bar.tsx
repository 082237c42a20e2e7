import { Progress } from '@mantine/core'
import { IconAlertTriangleFilled, IconCheck } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import styles from './steps.module.css'

export interface BarStep {
  id: string
  label: string
  /** Only visited steps can be opened. */
  isVisited: boolean
  /** The step has errors. */
  isFaulty: boolean
}

interface StepBarProps {
  label: string
  steps: readonly BarStep[]
  current: string
  open: (id: string) => void
}

/** The steps of a wizard and the current one; visited steps are buttons. */
export function StepBar({ label, steps, current, open }: StepBarProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const at = steps.findIndex(({ id }) => id === current)
  return (
    <nav className={styles.bar} aria-label={label}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step.id} className={styles.step} data-current={index === at || undefined}>
            <button
              type="button"
              className={styles.button}
              disabled={!step.isVisited}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => open(step.id)}
            >
              <span
                className={styles.number}
                data-done={(step.isVisited && index < at && !step.isFaulty) || undefined}
                data-faulty={step.isFaulty || undefined}
              >
                {step.isFaulty ? (
                  <IconAlertTriangleFilled size={16} role="img" aria-label={t('stepHasErrors')} />
                ) : step.isVisited && index < at ? (
                  <IconCheck size={16} stroke={3} aria-hidden />
                ) : (
                  format.number(index + 1)
                )}
              </span>
              <span className={styles.label}>{step.label}</span>
            </button>
          </li>
        ))}
      </ol>
      <Progress
        // The share that is done: nothing before the first step.
        value={(at / steps.length) * 100}
        size={4}
        radius={0}
        aria-label={t('stepOf', { step: format.number(at + 1), steps: format.number(steps.length) })}
      />
    </nav>
  )
}
