import type { PublishPlan } from '@floorcast/contract/publish.ts'
import { Alert, Checkbox, List, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { describeFailure, describeOutcome } from '../../platform/outcomes.ts'

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

/** Shows what publishing will do, whom it does not reach, and why it would be refused. */
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

interface Words {
  t: Translate
  format: Format
}

/** The sentences on what publishing does, in the order in which it happens. */
function publishSteps(plan: PublishPlan, { t }: Words): string[] {
  const { playlist, group, devices, publication, follows } = plan
  const steps: string[] = []
  const count = devices.count
  if (group.uid === null) steps.push(t('publish:steps.newGroup', { name: group.name, count }))
  else if (group.isActivated) steps.push(t('publish:steps.activate', { name: group.name }))
  if (playlist.isActivated) steps.push(t('publish:steps.activate', { name: playlist.name }))
  for (const { name } of plan.turnsOff) steps.push(t('publish:steps.turnsOff', { name }))
  if (publication) steps.push(t('publish:steps.again', { name: publication.name }))
  if (follows) steps.push(t('publish:steps.follows', { name: follows.name }))
  if (count > 0 && devices.offline === count) return [...steps, t('publish:steps.noneConnected', { count })]
  if (count > 0) steps.push(t('publish:steps.devices', { count }))
  if (devices.offline > 0) steps.push(t('publish:steps.offline', { count: devices.offline }))
  return steps
}

/** The sentences on the devices that do not get it. */
function publishWarnings({ playlist, group, devices }: PublishPlan, { t, format }: Words): string[] {
  const { count, tooSmall, inGroups, otherKind } = devices
  const warnings: string[] = []
  if (count === 0) warnings.push(t('publish:warnings.noDevice', { group: group.name }))
  if (tooSmall > 0)
    warnings.push(t('publish:warnings.tooSmall', { count: tooSmall, size: format.size(playlist.sizeBytes) }))
  if (inGroups > 0) warnings.push(t('publish:warnings.inGroups', { count: inGroups }))
  if (otherKind > 0) warnings.push(t('publish:warnings.otherKind', { count: otherKind }))
  return warnings
}
