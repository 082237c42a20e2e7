import type { Connectivity } from '@floorcast/contract/devices.ts'
import { useTranslate } from '../platform/i18n.ts'
import { StatusBadge, type StatusTone } from './status-badge.tsx'

const tones: Record<Connectivity, StatusTone> = {
  online: 'good',
  linkdown: 'down',
  linklost: 'down',
  neverup: 'none',
}

/** Online, offline for over an hour, for over a day, never connected (docs/specification.md#3-entities-and-their-fields). */
export function ConnectivityBadge({ state }: { state: Connectivity }) {
  const { t } = useTranslate()
  return <StatusBadge tone={tones[state]}>{t(`activity:connectivity.${state}`)}</StatusBadge>
}
