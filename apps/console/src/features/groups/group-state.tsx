import type { EditState } from '@floorcast/contract/groups.ts'
import { Button } from '@mantine/core'
import { IconPencilPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome, toastFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useChangeGroupState } from './groups-data.ts'

/** Active, or paused, which is shown as 'Being edited' (docs/specification.md#4-states-and-transitions). */
export function GroupStateBadge({ state }: { state: EditState }) {
  const { t } = useTranslate()
  return <StatusBadge tone={state === 'active' ? 'good' : 'paused'}>{t(`states.group.${state}`)}</StatusBadge>
}

/** Activates or pauses a group, and shows the result. */
export function GroupStateButton({ uid, state }: { uid: string; state: EditState }) {
  const { t } = useTranslate()
  const { mutate, isPending } = useChangeGroupState()
  const toggle = () =>
    mutate(
      { uid, from: state },
      {
        onSuccess: outcome => void toast('success', describeOutcome(t, outcome, 'group')),
        onError: error => toastFailure(error, 'group'),
      },
    )
  const isActive = state === 'active'
  return (
    <Button
      variant={isActive ? 'default' : 'filled'}
      loading={isPending}
      onClick={toggle}
      leftSection={
        isActive ? <IconPencilPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />
      }
    >
      {t(isActive ? 'states.pause' : 'states.activate')}
    </Button>
  )
}
