import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { type Finding, describeFindings } from './findings.ts'
import type { PlanView } from './use-plan.ts'
import type { StepControl } from './use-steps.ts'
import { isStep, type Step, type WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface FindingsListProps {
  findings: readonly Finding[]
  /** The present step; findings of other steps link to theirs. */
  step: Step
  open: (step: Step) => void
}

/** Refusals and warnings, each with a button to the step that corrects it. */
export function FindingsList({ findings, step, open }: FindingsListProps) {
  if (findings.length === 0) return null
  return (
    <div className={styles.found} id="wizard-findings" tabIndex={-1}>
      {[true, false].map(isRefusal => (
        <FindingsOfKind
          key={String(isRefusal)}
          {...{ isRefusal, step, open }}
          findings={findings.filter(found => found.isRefusal === isRefusal)}
        />
      ))}
    </div>
  )
}

/** All refusals, or all warnings, in one box: a line each. */
function FindingsOfKind({ isRefusal, findings, step, open }: FindingsListProps & { isRefusal: boolean }) {
  const { t } = useTranslate()
  if (findings.length === 0) return null
  return (
    <Alert
      py="xs"
      color={isRefusal ? 'red' : 'amber'}
      role={isRefusal ? 'alert' : 'status'}
      icon={isRefusal ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
    >
      {findings.map(({ code, text, step: at }) => (
        <div key={`${at} ${code} ${text}`} className={styles.foundText}>
          <span>{text}</span>
          {isStep(at) && at !== step && (
            <Button size="compact-xs" variant="default" onClick={() => open(at)}>
              {t('wizard:goTo', { step: t(`wizard:steps.${at}`) })}
            </Button>
          )}
        </div>
      ))}
    </Alert>
  )
}

/** All findings, and those to show at the present step. */
export function useFindings(draft: WizardDraft, { findings }: PlanView, { refusedSteps }: StepControl) {
  const { t } = useTranslate()
  const format = useFormat()
  const { step, adsList, melList } = draft
  const all = useMemo(() => {
    if (findings.refusals.length + findings.warnings.length === 0) return []
    const names = new Map([...melList, ...adsList].map(({ uid, name }) => [uid, name]))
    return describeFindings({ t, format, nameOf: uid => names.get(uid) ?? t('unknown') }, findings)
  }, [t, format, findings, adsList, melList])
  // An empty list is no error before the user tries to leave its step.
  const isShown = ({ code, step: at }: Finding) =>
    code !== 'list-empty' || (isStep(at) && refusedSteps.has(at)) || step === 'check'
  return { all, here: all.filter(found => (found.step === step || step === 'check') && isShown(found)) }
}
