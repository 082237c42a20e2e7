import { Skeleton, Stack, Alert, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconMovie, IconMusic } from '@tabler/icons-react'
import { useWords } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useLeaveGuard } from '../../ui/side-form/use-leave-guard.ts'
import { StepBar } from '../../ui/steps/step-bar.tsx'
import { CheckStep } from './check-step.tsx'
import { FindingsList, useFindings } from './findings-list.tsx'
import type { Finding } from './findings.ts'
import { HoursStep } from './hours-step.tsx'
import { ImportRefused } from './import-refused.tsx'
import { TracksStep } from './tracks-step.tsx'
import { useFinish } from './use-finish.ts'
import { usePlan } from './use-plan.ts'
import { useDraft, useKept } from './use-saved-draft.ts'
import { useSteps, type StepControl } from './use-steps.ts'
import {
  isStep,
  keptEdit,
  steps,
  withType,
  type Step,
  type WizardDraft,
  type SmartType,
} from './wizard-draft.ts'
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

/** The browser has no room for the draft: says so, and asks before it is left behind. */
function NotKept() {
  const { t } = useWords()
  const leave = useLeaveGuard(true)
  return (
    <Alert color="amber" role="status" icon={<IconAlertTriangle aria-hidden />}>
      {t('wizard:notKept')}
      {leave.isWaiting && (
        <ConfirmDialog
          isOpen
          title={t('unsaved.title')}
          confirmLabel={t('unsaved.discard')}
          cancelLabel={t('unsaved.stay')}
          isDanger
          onConfirm={async () => leave.proceed()}
          onClose={leave.stay}
        >
          {t('unsaved.text')}
        </ConfirmDialog>
      )}
    </Alert>
  )
}

const types = [
  { type: 'audio-smart', word: 'audio', icon: IconMusic },
  { type: 'video-smart', word: 'video', icon: IconMovie },
] as const

/** What comes first: sound or pictures. */
function TypeChoice({ choose }: { choose: (type: SmartType) => void }) {
  const { t } = useWords()
  return (
    <Stack gap="md" maw={800}>
      <div>
        <Title order={2}>{t('wizard:type.title')}</Title>
        <Text c="dimmed">{t('wizard:type.text')}</Text>
      </div>
      <div className={styles.types}>
        {types.map(({ type, word, icon: Glyph }) => (
          <button key={type} type="button" className={styles.type} onClick={() => choose(type)}>
            <Glyph size={40} stroke={1.25} aria-hidden className={styles.typeIcon} />
            <span className={styles.typeName}>{t(`kinds.${word}`)}</span>
            <Text component="span" c="dimmed">
              {t(`wizard:type.${word}`)}
            </Text>
          </button>
        ))}
      </div>
    </Stack>
  )
}
