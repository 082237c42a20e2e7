import { Skeleton, Stack, Alert, Text, Title, Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconMovie, IconMusic, IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { UnsavedDialog } from '../../ui/side-form/unsaved-dialog.tsx'
import { useLeaveGuard } from '../../ui/side-form/use-leave-guard.ts'
import { StepBar } from '../../ui/steps/step-bar.tsx'
import { CancelWizard } from './cancel-wizard.tsx'
import type { DraftNews } from './draft-news.ts'
import { Refusals, useFindings, Warnings } from './findings-list.tsx'
import type { Finding } from './findings.ts'
import { useFinish } from './use-finish.ts'
import { usePlan, type PlanView } from './use-plan.ts'
import { useDraft, useSavedDraft, type DraftControl } from './use-saved-draft.ts'
import { useStepAddress, useSteps, type StepControl } from './use-steps.ts'
import {
  isStep,
  usableEdit,
  steps,
  withType,
  type DraftChange,
  type Step,
  type WizardDraft,
  type SmartType,
} from './wizard-draft.ts'
import { WizardFoot } from './wizard-foot.tsx'
import styles from './wizard.module.css'

/** A new draft begins with the choice of its type. */
const loadSteps = () => import('./wizard-steps.tsx')
const HoursStep = onDemand(async () => (await loadSteps()).HoursStep)
const TracksStep = onDemand(async () => (await loadSteps()).TracksStep)
const CheckStep = onDemand(async () => (await loadSteps()).CheckStep)

interface WizardProps {
  initial: WizardDraft
  /** The storage key of the draft in this browser. */
  draftKey: string
  /** The playlist on the air that the new one replaces. */
  editOf?: string | null
}

interface WizardStepsProps extends Required<WizardProps> {
  saved: WizardDraft | null
}

/** The wizard, with the saved draft or `initial`. */
export function Wizard({ initial, draftKey, editOf = null }: WizardProps) {
  const saved = useSavedDraft(draftKey)
  if (saved === undefined) return <WizardSkeleton />
  const usable = editOf === null ? saved : usableEdit(saved, initial)
  return <WizardSteps initial={initial} saved={usable} draftKey={draftKey} editOf={editOf} />
}

export function WizardSkeleton() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={60} />
      <Skeleton height={320} />
    </Stack>
  )
}

function WizardSteps({ initial, saved, draftKey, editOf }: WizardStepsProps) {
  const draftControl = useDraft(draftKey, { initial, saved })
  const { draft, isSaved, news, change } = draftControl
  const open = useStepAddress(draft, change)
  const plan = usePlan(draft, draft.step === 'check')
  const stepControl = useSteps(draft, plan, open)
  const finishControl = useFinish({ draft, plan, editOf, onDone: draftControl.finish })
  const { step } = draft
  const findings = useFindings(draft, plan, stepControl)
  const elsewhere = news && (
    <DraftElsewhere {...draftControl} news={news} isNew={initial.smartPlUid === null && editOf === null} />
  )
  const cancel = <CancelWizard {...draftControl} initial={initial} editOf={editOf} />
  if (step === null)
    return (
      <Stack gap="md">
        {elsewhere}
        <TypeChoice onChoose={type => open(withType(type))} />
        {news === null && <div>{cancel}</div>}
      </Stack>
    )
  const found = { findings: findings.here, step, open: (to: Step) => void stepControl.go(to) }
  if (plan.isBroken) return <ErrorPanel error={null} retry={plan.retry} />
  return (
    <Stack gap="md">
      {elsewhere}
      {/* No changes while the draft is sent, nor of a draft that another tab has changed. */}
      <Stack gap="md" inert={finishControl.progress !== null || news !== null}>
        <Steps draft={draft} findings={findings.all} go={stepControl.go} />
        {!isSaved && <DraftNotSaved />}
        <Warnings {...found} />
        <StepContent draft={draft} plan={plan} change={change} />
      </Stack>
      {news === null && (
        <WizardFoot
          draft={draft}
          change={open}
          stepControl={stepControl}
          finishControl={finishControl}
          refusals={<Refusals {...found} />}
          cancel={cancel}
          startOver={() => {
            stepControl.reset()
            finishControl.clearFailure()
            open(() => initial)
          }}
        />
      )}
    </Stack>
  )
}

interface StepContentProps {
  draft: WizardDraft
  plan: PlanView
  change: (change: DraftChange) => void
}

function StepContent({ draft, plan, change }: StepContentProps) {
  const { t } = useTranslate()
  const { step } = draft
  const kind = step === 'ads' ? 'ad' : 'melody'
  return (
    <div
      id="wizard-step"
      role="group"
      tabIndex={-1}
      className={styles.step}
      aria-label={step === null ? undefined : t(`wizard:steps.${step}`)}
    >
      {step === 'hours' && <HoursStep draft={draft} change={change} />}
      {(step === 'ads' || step === 'background') && (
        <TracksStep key={kind} kind={kind} draft={draft} air={plan.air?.[kind] ?? null} change={change} />
      )}
      {step === 'check' && (
        <CheckStep
          draft={draft}
          shown={plan.shown}
          isRefused={plan.findings.refusals.length > 0}
          change={change}
        />
      )}
    </div>
  )
}

interface StepsProps {
  draft: WizardDraft
  findings: readonly Finding[]
  go: StepControl['go']
}

function Steps({ draft, findings, go }: StepsProps) {
  const { t } = useTranslate()
  const { step, reached } = draft
  return (
    <StepBar
      label={t('wizard:stepBar')}
      current={step ?? 'hours'}
      open={id => {
        if (isStep(id)) void go(id)
      }}
      steps={steps.map((id, index) => ({
        id,
        label: t(`wizard:steps.${id}`),
        isVisited: index <= reached,
        isFaulty: hasErrors(id, index <= reached, findings),
      }))}
    />
  )
}

const hasErrors = (step: Step, isVisited: boolean, findings: readonly Finding[]) =>
  isVisited &&
  findings.some(finding => finding.isRefusal && finding.step === step && finding.code !== 'list-empty')

/** The browser has no room for the draft: warns, and asks before the user leaves. */
function DraftNotSaved() {
  const { t } = useTranslate()
  const leave = useLeaveGuard(true)
  return (
    <Alert color="amber" role="status" icon={<IconAlertTriangle aria-hidden />}>
      {t('wizard:draftNotSaved')}
      {leave.isWaiting && <UnsavedDialog onDiscard={leave.proceed} onStay={leave.stay} />}
    </Alert>
  )
}

const types = [
  { type: 'audio-smart', kind: 'audio', icon: IconMusic },
  { type: 'video-smart', kind: 'video', icon: IconMovie },
] as const

/** The choice before the first step: audio or video. */
function TypeChoice({ onChoose }: { onChoose: (type: SmartType) => void }) {
  const { t } = useTranslate()
  return (
    <Stack gap="md" maw={800}>
      <div>
        <Title order={2}>{t('wizard:type.title')}</Title>
        <Text c="dimmed">{t('wizard:type.text')}</Text>
      </div>
      <div className={styles.types}>
        {types.map(({ type, kind, icon: TypeIcon }) => (
          <button key={type} type="button" className={styles.type} onClick={() => onChoose(type)}>
            <TypeIcon size={40} stroke={1.25} aria-hidden className={styles.typeIcon} />
            <span className={styles.typeName}>{t(`kinds.${kind}`)}</span>
            <Text component="span" c="dimmed">
              {t(`wizard:type.${kind}`)}
            </Text>
          </button>
        ))}
      </div>
    </Stack>
  )
}

interface DraftElsewhereProps extends Pick<DraftControl, 'takeSaved' | 'keepOwn' | 'beginAgain'> {
  news: DraftNews
  /** A new playlist, of which another may be begun. */
  isNew: boolean
}

/** Says that another tab has changed or finished the same draft. */
function DraftElsewhere({ news, isNew, takeSaved, keepOwn, beginAgain }: DraftElsewhereProps) {
  const { t } = useTranslate()
  if (news.kind === 'changed')
    return (
      <Alert
        color="amber"
        role="alert"
        icon={<IconAlertTriangle aria-hidden />}
        title={t('wizard:elsewhere.changed')}
      >
        <Group gap="xs">
          <Button size="xs" onClick={takeSaved}>
            {t('wizard:elsewhere.takeSaved')}
          </Button>
          <Button size="xs" variant="default" onClick={keepOwn}>
            {t('wizard:elsewhere.keepOwn')}
          </Button>
        </Group>
      </Alert>
    )
  return (
    <Alert color="info" role="alert" icon={<IconCheck aria-hidden />} title={t('wizard:elsewhere.finished')}>
      <Group gap="xs">
        <Button
          size="xs"
          component={Link}
          to={news.uid === null ? paths.playlists : paths.playlist(news.uid)}
        >
          {t('wizard:elsewhere.open')}
        </Button>
        {isNew && (
          <Button size="xs" variant="default" onClick={beginAgain}>
            {t('wizard:elsewhere.beginAgain')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
