import type { EditState } from '@floorcast/contract/groups.ts'
import { useWords } from '../../platform/i18n.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Active, or paused: shown as being edited (SPEC section 4). */
export function PlaylistStateBadge({ state }: { state: EditState }) {
  const { t } = useWords()
  return <StatusBadge tone={state === 'active' ? 'good' : 'paused'}>{t(`states.${state}`)}</StatusBadge>
}
