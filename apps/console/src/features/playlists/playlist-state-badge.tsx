import type { EditState } from '@floorcast/contract/groups.ts'
import type { PlaylistRow } from '@floorcast/contract/playlists.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Active, or paused: shown as being edited (docs/specification.md#4-states-and-transitions). */
export function PlaylistStateBadge({ state }: { state: EditState }) {
  const { t } = useTranslate()
  return (
    <StatusBadge tone={state === 'active' ? 'good' : 'paused'}>{t(`states.playlist.${state}`)}</StatusBadge>
  )
}

/** Says that a smart playlist's media have changed since it was planned. */
export function PlanStateBadge({ planState }: { planState: PlaylistRow['planState'] }) {
  const { t } = useTranslate()
  if (planState !== 'plan-again') return null
  return <StatusBadge tone="late">{t('playlists:smart.outdated')}</StatusBadge>
}
