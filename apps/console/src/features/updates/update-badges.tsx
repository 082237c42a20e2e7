import type { DeployState } from '@floorcast/contract/deploy-packages.ts'
import type { UpdateStep } from '@floorcast/contract/events.ts'
import type { ChannelState } from '@floorcast/contract/update-channels.ts'
import type { UpdateFileRow } from '@floorcast/contract/update-files.ts'
import type { PackageState } from '@floorcast/contract/update-packages.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'

const packageTones: Record<PackageState, StatusTone> = { draft: 'none', testing: 'waiting', released: 'good' }
export function PackageBadge({ state }: { state: PackageState }) {
  const { t } = useTranslate()
  return <StatusBadge tone={packageTones[state]}>{t(`updates:package.states.${state}`)}</StatusBadge>
}

const channelTones: Record<ChannelState, StatusTone> = { open: 'good', frozen: 'paused' }
export function ChannelBadge({ state }: { state: ChannelState }) {
  const { t } = useTranslate()
  return <StatusBadge tone={channelTones[state]}>{t(`updates:channel.states.${state}`)}</StatusBadge>
}

const deployTones: Record<DeployState, StatusTone> = { paused: 'paused', active: 'good', forced: 'late' }
export function DeployBadge({ state }: { state: DeployState }) {
  const { t } = useTranslate()
  return <StatusBadge tone={deployTones[state]}>{t(`updates:deploy.states.${state}`)}</StatusBadge>
}

const stepTones: Record<UpdateStep, StatusTone> = {
  offered: 'waiting',
  downloading: 'waiting',
  downloaded: 'waiting',
  verified: 'waiting',
  installing: 'waiting',
  installed: 'waiting',
  healthy: 'good',
  refused: 'down',
  failed: 'down',
  returned: 'down',
}
export function StepBadge({ step }: { step: UpdateStep }) {
  const { t } = useTranslate()
  return <StatusBadge tone={stepTones[step]}>{t(`updates:steps.${step}`)}</StatusBadge>
}

type SignatureState = UpdateFileRow['signatureState']
const signatureTones: Record<SignatureState, StatusTone> = {
  valid: 'good',
  wrong: 'down',
  missing: 'down',
  unchecked: 'none',
}
export function SignatureBadge({ state }: { state: SignatureState }) {
  const { t } = useTranslate()
  return <StatusBadge tone={signatureTones[state]}>{t(`updates:signatures.${state}`)}</StatusBadge>
}
