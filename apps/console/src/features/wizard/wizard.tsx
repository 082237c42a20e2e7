import { Skeleton, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { StepBar } from '../../ui/steps/step-bar.tsx'
import { CheckStep } from './check-step.tsx'
import { FindingsList } from './findings-list.tsx'
import { describeFindings, type Finding } from './findings.ts'
import { HoursStep } from './hours-step.tsx'
import { ImportRefused } from './import-refused.tsx'
import { NotKept } from './not-kept.tsx'
import { TracksStep } from './tracks-step.tsx'
import { TypeChoice } from './type-choice.tsx'
import { useDraft, useKept } from './use-draft.ts'
import { useFinish } from './use-finish.ts'
import { usePlan, type PlanView } from './use-plan.ts'
import { useSteps, type StepControl } from './use-steps.ts'
import { isStep, keptEdit, steps, withType, type Step, type WizardDraft } from './wizard-draft.ts'
import { WizardFoot } from './wizard-foot.tsx'
import styles from './wizard.module.css'

interface WizardProps {
  initial: WizardDraft
  /** Where the draft is kept in this browser. */
  memory: string
  /** The playlist on the air whose place the new one is to take. */
  editOf?: string | null
}

interface WizardStepsProps extends Required<WizardProps> {
  kept: WizardDraft | null
}

/** The wizard with what was kept of it. */
export function Wizard({ initial, memory, editOf = null }: WizardProps) {
  const kept = useKept(memory)
  if (kept === undefined) return <WizardSkeleton />
  const usable = editOf === null ? kept : keptEdit(kept, initial)
  return <WizardSteps initial={initial} kept={usable} memory={memory} editOf={editOf} />
}

/** While it is read what the wizard begins with. */
export function WizardSkeleton() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={60} />
      <Skeleton height={320} />
    </Stack>
  )
}

/** The four steps from nothing to a smart playlist. */
function WizardSteps({ initial, kept, memory, editOf }: WizardStepsProps) {
  const { t } = useWords()
  const { draft, isKept, change, startOver, finish } = useDraft(memory, { initial, kept })
  const plan = usePlan(draft, draft.step === 'check')
  const way = useSteps(draft, plan, change)
  const end = useFinish({ draft, plan, editOf, onDone: finish })
  const { step } = draft
  const found = useFindings(draft, plan, way)
  if (step === null) return <TypeChoice choose={type => change(withType(type))} />
  if (plan.isBroken) return <ErrorPanel error={null} retry={plan.retry} />
  const kind = step === 'ads' ? 'ad' : 'melody'
  return (
    <Stack gap="md">
      {/* What is on its way is not changed any more. */}
      <Stack gap="md" inert={end.progress !== null}>
        <Bar draft={draft} found={found.all} go={way.go} />
        {!isKept && <NotKept />}
        {end.failure !== null && (
          <ImportRefused failure={end.failure} draft={draft} change={change} onMended={end.forget} />
        )}
        <FindingsList findings={found.here} step={step} open={to => void way.go(to)} />
        <div
          id="wizard-step"
          role="group"
          tabIndex={-1}
          className={styles.step}
          aria-label={t(`wizard:steps.${step}`)}
        >
          {step === 'hours' && <HoursStep draft={draft} change={change} />}
          {(step === 'ads' || step === 'background') && (
            <TracksStep key={kind} kind={kind} draft={draft} air={plan.air?.[kind] ?? null} change={change} />
          )}
          {step === 'check' && (
            <CheckStep
              draft={draft}
              shown={plan.shown}
              isHopeless={plan.findings.refusals.length > 0}
              faults={end.faults}
              change={change}
            />
          )}
        </div>
      </Stack>
      <WizardFoot
        draft={draft}
        change={change}
        way={way}
        end={end}
        startOver={() => {
          way.forget()
          end.forget()
          startOver()
        }}
      />
    </Stack>
  )
}

/** What is told at this step, and what stands in the way anywhere. */
function useFindings(draft: WizardDraft, { findings }: PlanView, { refusedSteps }: StepControl) {
  const { t } = useWords()
  const format = useFormat()
  const { step, adsList, melList } = draft
  const all = useMemo(() => {
    if (findings.refusals.length + findings.warnings.length === 0) return []
    const names = new Map([...melList, ...adsList].map(({ uid, name }) => [uid, name]))
    return describeFindings({ t, format, nameOf: uid => names.get(uid) ?? t('unknown') }, findings)
  }, [t, format, findings, adsList, melList])
  // An empty list is no news to who has not begun to fill it.
  const isNews = ({ code, step: at }: Finding) =>
    code !== 'list-empty' || (isStep(at) && refusedSteps.has(at)) || step === 'check'
  return { all, here: all.filter(found => (found.step === step || step === 'check') && isNews(found)) }
}

function Bar({ draft, found, go }: { draft: WizardDraft; found: readonly Finding[]; go: StepControl['go'] }) {
  const { t } = useWords()
  const { step, reached } = draft
  return (
    <StepBar
      label={t('wizard:way')}
      current={step ?? 'hours'}
      open={id => {
        if (isStep(id)) void go(id)
      }}
      steps={steps.map((id, index) => ({
        id,
        label: t(`wizard:steps.${id}`),
        isVisited: index <= reached,
        isFaulty: isFaulty(id, index <= reached, found),
      }))}
    />
  )
}

const isFaulty = (step: Step, isVisited: boolean, found: readonly Finding[]) =>
  isVisited &&
  found.some(finding => finding.isRefusal && finding.step === step && finding.code !== 'list-empty')
