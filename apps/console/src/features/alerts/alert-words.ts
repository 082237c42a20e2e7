import type { AlertDeviceState } from '@floorcast/contract/alert-devices.ts'
import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import type { AlertRow, AlertTarget } from '@floorcast/contract/alerts.ts'
import type { Translate } from '../../platform/i18n.ts'
import type { StatusTone } from '../../ui/status-badge.tsx'

/** 'Air alert', or 'Drill: air alert'. */
export const nameAlert = (t: Translate, { kind, isDrill }: { kind: AlertKind; isDrill: boolean }): string =>
  t(isDrill ? `alerts:drillOf.${kind}` : `alerts:alertOf.${kind}`)

/** The name of its device or group, or 'All shops'. */
export const nameTarget = (t: Translate, target: AlertTarget): string =>
  target.kind === 'all' ? t('alerts:allShops') : (target.name ?? t('alerts:goneTarget'))

/** How long an alert has lasted until a moment, in seconds. */
export const secondsOf = (
  { beganAt, endedAt }: Pick<AlertRow, 'beganAt' | 'endedAt'>,
  nowMs: number,
): number => Math.max(0, ((endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(beganAt)) / 1000)

/** A device that still plays after the alert's end has not confirmed it. */
export const nameDeviceState = (t: Translate, state: AlertDeviceState, hasEnded: boolean): string =>
  hasEnded && (state === 'sounding' || state === 'not-reached')
    ? t(`alerts:afterwards.${state}`)
    : t(`alerts:progress.${state}`)

export const stateTones: Record<AlertDeviceState, StatusTone> = {
  failed: 'down',
  'not-reached': 'late',
  received: 'waiting',
  sounding: 'good',
  ended: 'none',
}
