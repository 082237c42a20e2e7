import { setImmediate as others } from 'node:timers/promises'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { SilentReason } from '@floorcast/contract/devices.ts'
import type { PlayedSpan, ScheduledSpan } from '@floorcast/contract/device-day.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { iterateCues } from '@floorcast/playback/iterate-cues.ts'
import { isAd } from '@floorcast/playback/media.ts'
import { type DayBounds, DayMinutes, MINUTE_MS } from './day-minutes.ts'

/** A minute with so many seconds of ads counts as ads: one spot among songs is seen. */
const MIN_AD_SECONDS = 5
/** Other calls run after this many cues. */
const CUES_A_TURN = 2000

type PlayedMinute = Pick<PlayedSpan, 'kind' | 'adShare'>
type Minute = Pick<ScheduledSpan, 'kind' | 'adShare' | 'because'>

/** What a device was to play, by minute; null: it had no schedule. */
interface DaySchedule {
  minutes: (Minute | null)[]
  /** The seconds of each minute in which something was scheduled. */
  sounding: Float64Array
}

/** What plays in a minute; null: nothing. Shares are of whole seconds of a minute, so that equal minutes join. */
export function soundOfMinute(musicSeconds: number, adSeconds: number): PlayedMinute | null {
  const all = musicSeconds + adSeconds
  if (all < 1) return null
  return {
    kind: adSeconds >= MIN_AD_SECONDS ? 'ads' : 'music',
    adShare: Math.round((adSeconds / all) * 60) / 60,
  }
}

/**
 * The cues of a day as a device plays them that holds all files, from its first publication of now on.
 * @param createdAt when the device was added, in milliseconds since 1970
 */
export async function scheduleDay(
  manifest: DeviceManifest,
  day: DayBounds,
  createdAt: number,
): Promise<DaySchedule> {
  const [music, ads, sounding] = [new DayMinutes(day), new DayMinutes(day), new DayMinutes(day)]
  const silences = new Map<number, SilentReason>()
  const activated = manifest.publications.map(({ activatedAt }) => Date.parse(activatedAt))
  const from = Math.max(day.from, createdAt, activated.length > 0 ? Math.min(...activated) : createdAt)
  let cues = 0
  let at = from
  for (const cue of iterateCues({ ...manifest, alerts: [] }, { ...day, from }, filesOf(manifest))) {
    const until = Math.min(cue.until, day.until)
    if (cue.kind === 'play') {
      const kind = isAd(cue.file) ? ads : music
      kind.add(at, until)
      sounding.add(at, until)
    }
    if (cue.kind === 'silent') {
      const first = Math.ceil((at - day.from) / MINUTE_MS)
      for (let minute = first; day.from + minute * MINUTE_MS < until; minute += 1)
        silences.set(minute, cue.because)
    }
    at = until
    cues += 1
    if (cues % CUES_A_TURN === 0) await others()
  }
  const minutes = Array.from(sounding.seconds, (_, minute): Minute | null => {
    const sound = soundOfMinute(music.seconds[minute] ?? 0, ads.seconds[minute] ?? 0)
    const because = silences.get(minute) ?? null
    if (sound) return { ...sound, because: null }
    return because && { kind: 'silent', adShare: 0, because }
  })
  return { minutes, sounding: sounding.seconds }
}
