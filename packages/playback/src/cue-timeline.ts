import type { Manifest, ManifestFile, ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import type { CutReason } from './cue-types.ts'
import { DAY, type DayNumber, HOUR, type Millis, millisOf, MINUTE, parseTimeOfDay } from './instant.ts'
import { lengthOf } from './media.ts'
import { nextClockChange, wallAt } from './zone.ts'

export type SmartPlaylist = Extract<ManifestPlaylist, { form: 'smart' }>

/** The window's wall times; `length` of a day or less. */
interface Window {
  start: Millis
  length: Millis
}

const LAST_MINUTE = 23 * HOUR + 59 * MINUTE

/** An end of 23:59 means midnight; an end at or before the start runs over midnight. */
function windowOf(playlist: SmartPlaylist): Window {
  const start = parseTimeOfDay(playlist.startDay) || 0
  const written = parseTimeOfDay(playlist.endDay) || 0
  const end = written === LAST_MINUTE ? DAY : written
  return { start, length: end > start ? end - start : end - start + DAY }
}

export interface TimelinePlay {
  state: 'play'
  /** The day on which the window began. */
  day: DayNumber
  file: ManifestFile
  startsAt: Millis
  until: Millis
  endsAt: Millis
  cutBy: CutReason | null
}

export type TimelineSpot =
  { state: 'outside-window'; until: Millis } | { state: 'idle'; day: DayNumber; until: Millis } | TimelinePlay

interface Planned {
  file: ManifestFile
  /** From the window's start. */
  start: Millis
  end: Millis
}

/** The day's plays in order. */
function plannedPlays(manifest: Manifest, playlist: SmartPlaylist): Planned[] {
  const plays = playlist.blocks.flatMap(block =>
    block.items.flatMap(item => {
      const file = manifest.files[item.file]
      const start = millisOf(item.start)
      return file && lengthOf(file) > 0 ? [{ file, start, end: start + lengthOf(file) }] : []
    }),
  )
  return plays.toSorted((a, b) => a.start - b.start)
}

/**
 * The place in a smart playlist's day, by the wall clock: a skipped hour is not played, a repeated one plays twice. A
 * clock change ends what plays, since the timeline jumps there.
 */
export function askTimeline(manifest: Manifest, playlist: SmartPlaylist, at: Millis): TimelineSpot {
  const zone = manifest.device.timeZone
  const window = windowOf(playlist)
  const wall = wallAt(zone, at)
  const startedToday = Math.floor(wall / DAY) * DAY + window.start
  const opened = startedToday <= wall ? startedToday : startedToday - DAY
  const position = wall - opened
  const change = nextClockChange(zone, at, at + DAY)
  if (position >= window.length)
    return { state: 'outside-window', until: Math.min(at + DAY - position, change) }

  const day = Math.floor(opened / DAY)
  const plays = plannedPlays(manifest, playlist)
  const index = plays.findLastIndex(play => play.start <= position)
  const play = plays[index]
  const next = Math.min(plays[index + 1]?.start ?? Infinity, window.length)
  if (!play || play.end <= position)
    return { state: 'idle', day, until: Math.min(at + next - position, change) }
  const end = Math.min(play.end, window.length)
  const startsAt = at - (position - play.start)
  const spot = { state: 'play', day, file: play.file, startsAt } as const
  const until = at + Math.min(end, next) - position
  if (change < until) return { ...spot, until: change, endsAt: change, cutBy: 'clock-change' }
  return { ...spot, until, endsAt: at + end - position, cutBy: play.end > end ? 'outside-window' : null }
}
