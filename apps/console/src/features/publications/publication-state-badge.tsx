import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { isReadyEverywhere } from './publication-readiness.ts'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'

const tones: Record<PublicationCard['state'], StatusTone> = {
  active: 'good',
  delayed: 'waiting',
  disabled: 'none',
}

/** On, scheduled, or off; amber while some device of its group cannot play it yet. */
export function PublicationStateBadge({
  publication,
}: {
  publication: Pick<PublicationCard, 'state' | 'readiness'>
}) {
  const { t } = useTranslate()
  const { state, readiness } = publication
  const isPartial = state === 'active' && readiness !== null && !isReadyEverywhere(readiness)
  return (
    <StatusBadge tone={isPartial ? 'late' : tones[state]}>{t(`publications:states.${state}`)}</StatusBadge>
  )
}
