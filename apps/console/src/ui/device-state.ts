import type { DeviceRow, SilentReason } from '@floorcast/contract/devices.ts'
import type { Format } from '../platform/format.ts'
import type { Translate } from '../platform/i18n.ts'
import type { StatusTone } from './status-badge.tsx'

type Reports = Pick<DeviceRow, 'connectivity' | 'activity' | 'isConnectionLost' | 'lastContactAt'> & {
  silentReason: SilentReason | null
  /** Lists that are not about sound do not have it. */
  nowPlaying?: DeviceRow['nowPlaying']
}

/** `late`: a person should act. `none`: as planned, or temporary. */
const silenceTones: Record<SilentReason, StatusTone> = {
  'no-publication': 'late',
  closed: 'none',
  'outside-dates': 'none',
  'outside-window': 'none',
  empty: 'late',
  'not-downloaded': 'late',
  downloading: 'none',
  'player-broken': 'late',
  'player-missing': 'late',
  stopped: 'late',
  starting: 'none',
  alert: 'none',
  muted: 'late',
  unknown: 'late',
}

const minuteMs = 60_000

/** Why a device plays nothing, and how grave that is. */
export const describeSilence = (t: Translate, reason: SilentReason | null) => ({
  tone: silenceTones[reason ?? 'unknown'],
  word: t(`activity:silentReasons.${reason ?? 'unknown'}`),
})

/** The one state of a device: what its shop hears, or why that is unknown. */
export function describeDevice(
  { t, format }: { t: Translate; format: Format },
  device: Reports,
  nowMs: number,
): { tone: StatusTone; word: string } {
  const { connectivity, activity, silentReason, isConnectionLost, lastContactAt } = device
  if (activity === 'late' && lastContactAt !== null) {
    // Frequent heartbeats, or a reader's slow clock, would give 'seen now', which would deny what the state says.
    if (nowMs - Date.parse(lastContactAt) < minuteMs)
      return { tone: 'late', word: t('activity:connectivity.late') }
    return { tone: 'late', word: t('activity:seen', { time: format.relative(lastContactAt, nowMs) }) }
  }
  if (connectivity === 'neverup') return { tone: 'none', word: t('activity:connectivity.neverup') }
  if (connectivity !== 'online') return { tone: 'down', word: t(`activity:connectivity.${connectivity}`) }
  if (isConnectionLost) return { tone: 'late', word: t('activity:connectionLost') }
  if (activity === 'silent' && silentReason === 'closed') return { tone: 'none', word: t('activity:closed') }
  if (activity === 'silent') {
    const { tone, word } = describeSilence(t, silentReason)
    const silent = t('activity:silent')
    return { tone, word: `${silent} · ${word}` }
  }
  const track = device.nowPlaying?.name
  const word = track === undefined ? t('activity:playing') : t('activity:playingTrack', { track })
  return { tone: 'good', word }
}
