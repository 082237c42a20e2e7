import type { PublicationState } from '@floorcast/contract/publications.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'

const tones: Record<PublicationState, StatusTone> = { active: 'good', delayed: 'waiting', disabled: 'none' }

/** On, scheduled, or off. */
export function PublicationStateBadge({ state }: { state: PublicationState }) {
  const { t } = useTranslate()
  return <StatusBadge tone={tones[state]}>{t(`publications:states.${state}`)}</StatusBadge>
}
