import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import { useWords } from '../../platform/i18n.ts'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'

const tones = {
  complete: 'good',
  joined: 'good',
  cut: 'late',
  failed: 'down',
  began: 'good',
  ended: 'none',
  silent: 'none',
  playing: 'good',
  info: 'none',
  warning: 'late',
  error: 'down',
} as const satisfies Record<string, StatusTone>
type Known = keyof typeof tones
const isKnown = (status: string): status is Known => Object.hasOwn(tones, status)

/** What an entry says happened; the steps of an update are the device's own words. */
export function LogStatus({ kind, status }: { kind: DeviceLogKind; status: string }) {
  const { t } = useWords()
  if (kind === 'update' || !isKnown(status)) return <bdi>{status}</bdi>
  return <StatusBadge tone={tones[status]}>{t(`logs:status.${status}`)}</StatusBadge>
}
