import type { PublishPlan } from '@floorcast/contract/publish.ts'
import { Alert, Checkbox, List, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { describeFailure, describeOutcome } from '../../platform/outcomes.ts'
import { publishSteps, publishWarnings } from './publish-words.ts'

interface PlanQuery {
  data: PublishPlan | undefined
  isFetching: boolean
  error: unknown
}

interface PlanPanelProps {
  query: PlanQuery
  /** All fields are filled in. */
  isComplete: boolean
  turnsOff: readonly string[]
  onTurnOff: (uids: string[]) => void
}

/** What publishing will do, whom it does not reach, and why it would be refused. */
export function PublishPlanPanel({ query, isComplete, turnsOff, onTurnOff }: PlanPanelProps) {
  const { t } = useTranslate()
  return (
    <Stack gap="xs" component="section" aria-label={t('publish:plan')} aria-live="polite">
      <Text fw={600} size="sm">
        {t('publish:plan')}
      </Text>
      <PlanBody query={query} isComplete={isComplete} turnsOff={turnsOff} onTurnOff={onTurnOff} />
    </Stack>
  )
}

function PlanBody({ query: { data, error }, isComplete, turnsOff, onTurnOff }: PlanPanelProps) {
  const { t } = useTranslate()
  const format = useFormat()
  if (!isComplete)
    return (
      <Text size="sm" c="dimmed">
        {t('publish:incomplete')}
      </Text>
    )
  if (error)
    return (
      <Alert color="red" role="alert">
        {describeFailure(t, error, 'publication')}
      </Alert>
    )
  if (!data) return <Skeleton height={72} />
  return (
    <>
      <TurnOff plan={data} turnsOff={turnsOff} onTurnOff={onTurnOff} />
      {data.refusals.length > 0 ? (
        <Refusals plan={data} t={t} />
      ) : (
        <Steps plan={data} words={{ t, format }} />
      )}
    </>
  )
}

function Refusals({ plan, t }: { plan: PublishPlan; t: Translate }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />}>
      {plan.refusals.map(refusal => (
        <Text key={`${refusal.code} ${refusal.reason}`} size="sm">
          {refusal.code === 1
            ? t('publish:taken', { group: plan.group.name, count: plan.conflicts.length })
            : describeOutcome(t, refusal, 'publication')}
        </Text>
      ))}
    </Alert>
  )
}

function Steps({ plan, words }: { plan: PublishPlan; words: { t: Translate; format: Format } }) {
  const warnings = publishWarnings(plan, words)
  return (
    <>
      <List size="sm" spacing={4} icon={<IconCheck size={16} aria-hidden />}>
        {publishSteps(plan, words).map(step => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {warnings.length > 0 && (
        <Alert color="amber" icon={<IconAlertTriangle size={20} aria-hidden />}>
          {warnings.map(warning => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
        </Alert>
      )}
    </>
  )
}

/** The publications in the way, each with the choice to turn it off. */
function TurnOff({
  plan,
  turnsOff,
  onTurnOff,
}: Pick<PlanPanelProps, 'turnsOff' | 'onTurnOff'> & { plan: PublishPlan }) {
  const { t } = useTranslate()
  return [...plan.conflicts, ...plan.turnsOff].map(({ uid, name }) => (
    <Checkbox
      key={uid}
      label={t('publish:deactivate', { name })}
      checked={turnsOff.includes(uid)}
      onChange={event =>
        onTurnOff(event.currentTarget.checked ? [...turnsOff, uid] : turnsOff.filter(other => other !== uid))
      }
    />
  ))
}
