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

interface FindingsProps {
  findings: readonly Finding[]
  /** The present step; findings of other steps link to theirs. */
  step: Step
  open: (step: Step) => void
}

/** The findings that stop Next and Finish, for the foot. */
export function Refusals({ findings, ...props }: FindingsProps) {
  const refusals = findings.filter(({ isRefusal }) => isRefusal)
  if (refusals.length === 0) return null
  return (
    <div id="wizard-findings" tabIndex={-1} className={styles.found}>
      <Alert py="xs" color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
        <Lines findings={refusals} {...props} />
      </Alert>
    </div>
  )
}

/** All warnings in one box. */
export function Warnings({ findings, ...props }: FindingsProps) {
  const warnings = findings.filter(({ isRefusal }) => !isRefusal)
  if (warnings.length === 0) return null
  return (
    <Alert py="xs" color="amber" role="status" icon={<IconInfoCircle aria-hidden />}>
      <Lines findings={warnings} {...props} />
    </Alert>
  )
}

/** A line each, with a button to the step that corrects it. */
function Lines({ findings, step, open }: FindingsProps) {
  const { t } = useTranslate()
  return findings.map(({ code, text, step: at }) => (
    <div key={`${at} ${code} ${text}`} className={styles.foundText}>
      <span>{text}</span>
      {isStep(at) && at !== step && (
        <Button size="compact-xs" variant="default" onClick={() => open(at)}>
          {t('wizard:goTo', { step: t(`wizard:steps.${at}`) })}
        </Button>
      )}
    </div>
  ))
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
  // An empty list is not an error before the user tries to leave its step.
  const isShown = ({ code, step: at }: Finding) =>
    code !== 'list-empty' || (isStep(at) && refusedSteps.has(at)) || step === 'check'
  return { all, here: all.filter(found => (found.step === step || step === 'check') && isShown(found)) }
}
