import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useWords } from '../../platform/i18n.ts'
import type { Finding } from './findings.ts'
import { isStep, type Step } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface FindingsListProps {
  findings: readonly Finding[]
  /** Where one is: what belongs elsewhere leads there. */
  step: Step
  open: (step: Step) => void
}

/** What stands in the way and what one should know, each with the way to where it is mended. */
export function FindingsList({ findings, step, open }: FindingsListProps) {
  const { t } = useWords()
  if (findings.length === 0) return null
  return (
    <div className={styles.found} id="wizard-findings" tabIndex={-1}>
      {findings.map(({ code, text, isRefusal, step: at }) => (
        <Alert
          key={`${at} ${code} ${text}`}
          color={isRefusal ? 'red' : 'amber'}
          role={isRefusal ? 'alert' : 'status'}
          icon={isRefusal ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
        >
          <div className={styles.foundText}>
            <span>{text}</span>
            {isStep(at) && at !== step && (
              <Button size="xs" variant="default" onClick={() => open(at)}>
                {t('wizard:goTo', { step: t(`wizard:steps.${at}`) })}
              </Button>
            )}
          </div>
        </Alert>
      ))}
    </div>
  )
}
