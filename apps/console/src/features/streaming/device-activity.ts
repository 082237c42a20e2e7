import type { SilentReason } from '@floorcast/contract/devices.ts'
import type { ListeningState } from '@floorcast/contract/listening.ts'

/** The activity of a device, by its reports. */
export type DeviceActivity =
  | { kind: 'playing'; name: string }
  | { kind: 'silent'; because: SilentReason }
  /** It has not reported since this instant. */
  | { kind: 'away'; since: string }
  | { kind: 'never' }

/** A device that has missed this number of heartbeats is away: it may or may not play on. */
const MAX_MISSED = 3

interface Moment {
  at: number
  heartbeatSeconds: number
}

export function activityOf(
  state: Omit<ListeningState, 'manifest' | 'serverTime'>,
  { at, heartbeatSeconds }: Moment,
): DeviceActivity {
  const { connectivity, lastContactAt, activity, nowPlaying, silentBecause } = state
  if (connectivity === 'neverup' || lastContactAt === null) return { kind: 'never' }
  const heartbeatMs = heartbeatSeconds * 1000
  if (activity === 'late' || at - Date.parse(lastContactAt) > MAX_MISSED * heartbeatMs)
    return { kind: 'away', since: lastContactAt }
  if (nowPlaying && silentBecause === null) {
    const { startedAt, offsetSeconds, durationSeconds, name } = nowPlaying
    // The report of the next track may take a heartbeat.
    const endsAt =
      Date.parse(startedAt) + ((durationSeconds ?? Infinity) - offsetSeconds) * 1000 + heartbeatMs
    if (at <= endsAt) return { kind: 'playing', name }
  }
  return { kind: 'silent', because: silentBecause ?? 'unknown' }
}
