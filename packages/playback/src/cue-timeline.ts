import type { ManifestFile, ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import type { CutReason } from './cue-types.ts'
import { DAY, type DayNumber, HOUR, type Ms, toMs, MINUTE, parseTimeOfDay } from './instant.ts'
import { lengthMsOf } from './media.ts'
import { nextClockChange, wallAt } from './zone.ts'

export type SmartPlaylist = Extract<ManifestPlaylist, { form: 'smart' }>

/** The window in wall time; `length` is at most a day. */
interface Window {
  start: Ms
  length: Ms
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
  /** The day on which the window starts. */
  day: DayNumber
  file: ManifestFile
  startsAt: Ms
  until: Ms
  endsAt: Ms
  cutBy: CutReason | null
}

export type TimelinePosition =
  | { state: 'outside-window'; until: Ms }
  | { state: 'idle'; day: DayNumber; until: Ms }
  | TimelinePlay

interface ScheduledPlay {
  file: ManifestFile
  /** The time from the window's start. */
  start: Ms
  end: Ms
}

/**
 * Up to this distance between a play's end and the next start, the play ends at the next start; a crossfade is longer.
 * Starts are rounded to milliseconds, and a replaced file may differ from the planned length by 0.05 s. Without this rule,
 * there would be short silences, cuts, or a melody that continues under an ad.
 */
const MAX_JOINT_MS: Ms = 60

function orderPlays({ files, playlist }: SmartDay): ScheduledPlay[] {
  const plays = playlist.blocks.flatMap(block =>
    block.items.flatMap(item => {
      const file = files[item.file]
      const start = toMs(item.start)
      return file && lengthMsOf(file) > 0 ? [{ file, start, end: start + lengthMsOf(file) }] : []
    }),
  )
  const ordered = plays.toSorted((a, b) => a.start - b.start)
  return ordered.map((play, index) => {
    const next = ordered[index + 1]?.start ?? Infinity
    return next > play.start && Math.abs(next - play.end) <= MAX_JOINT_MS ? { ...play, end: next } : play
  })
}

/** A smart playlist's day on a device. */
export interface SmartDay {
  /** The device's time zone. */
  zone: string
  playlist: SmartPlaylist
  /** The playlist's items index them. */
  files: readonly ManifestFile[]
}

interface OrderedDay {
  files: SmartDay['files']
  plays: readonly ScheduledPlay[]
}

/** A cache: an iteration over cues asks some thousand times about the same day. */
const days = new WeakMap<SmartPlaylist, OrderedDay>()

/** The day's plays in time order, from the cache. */
function scheduledPlays(day: SmartDay): readonly ScheduledPlay[] {
  const known = days.get(day.playlist)
  if (known?.files === day.files) return known.plays
  const plays = orderPlays(day)
  days.set(day.playlist, { files: day.files, plays })
  return plays
}

/** The index of the last play that has started at `position`; -1 before the first. */
function findStarted(plays: readonly ScheduledPlay[], position: Ms): number {
  let low = 0
  let high = plays.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((plays[middle]?.start ?? Infinity) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}

interface WindowPosition {
  window: Window
  /** The wall time since the window's start; more than its length after its end. */
  position: Ms
  opened: Ms
}

function windowPositionAt({ zone, playlist }: SmartDay, at: Ms): WindowPosition {
  const window = windowOf(playlist)
  const wall = wallAt(zone, at)
  const startedToday = Math.floor(wall / DAY) * DAY + window.start
  const opened = startedToday <= wall ? startedToday : startedToday - DAY
  return { window, opened, position: wall - opened }
}

/** The files of a smart day in play order from `at` on. The day's beginning follows its end. */
export function filesFrom(day: SmartDay, at: Ms): ManifestFile[] {
  const plays = scheduledPlays(day)
  const { position } = windowPositionAt(day, at)
  const now = Math.max(0, findStarted(plays, position))
  const isOver = now === plays.length - 1 && (plays[now]?.end ?? 0) <= position
  return [...plays.slice(isOver ? 0 : now), ...plays.slice(0, isOver ? 0 : now)].map(({ file }) => file)
}

/**
 * The position in a smart playlist's day, by the wall clock: a skipped hour is not played, and a repeated hour plays twice.
 * A clock change ends the current play, because the timeline jumps there.
 */
export function timelinePositionAt(smartDay: SmartDay, at: Ms): TimelinePosition {
  const { window, opened, position } = windowPositionAt(smartDay, at)
  const change = nextClockChange(smartDay.zone, at, at + DAY)
  if (position >= window.length)
    return { state: 'outside-window', until: Math.min(at + DAY - position, change) }

  const day = Math.floor(opened / DAY)
  const plays = scheduledPlays(smartDay)
  const index = findStarted(plays, position)
  const play = plays[index]
  const next = Math.min(plays[index + 1]?.start ?? Infinity, window.length)
  if (!play || play.end <= position)
    return { state: 'idle', day, until: Math.min(at + next - position, change) }
  const end = Math.min(play.end, window.length)
  const startsAt = at - (position - play.start)
  const current = { state: 'play', day, file: play.file, startsAt } as const
  const until = at + Math.min(end, next) - position
  if (change < until) return { ...current, until: change, endsAt: change, cutBy: 'clock-change' }
  return { ...current, until, endsAt: at + end - position, cutBy: play.end > end ? 'outside-window' : null }
}
