import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile, ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import type { CutReason } from './cue-types.ts'
import { DAY, type DayNumber, HOUR, type Ms, toMs, MINUTE, parseTimeOfDay } from './instant.ts'
import { lengthOf } from './media.ts'
import { nextClockChange, wallAt } from './zone.ts'

export type SmartPlaylist = Extract<ManifestPlaylist, { form: 'smart' }>

/** The window's wall times; `length` of a day or less. */
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
  /** The day on which the window began. */
  day: DayNumber
  file: ManifestFile
  startsAt: Ms
  until: Ms
  endsAt: Ms
  cutBy: CutReason | null
}

export type TimelinePosition =
  { state: 'outside-window'; until: Ms } | { state: 'idle'; day: DayNumber; until: Ms } | TimelinePlay

interface Planned {
  file: ManifestFile
  /** From the window's start. */
  start: Ms
  end: Ms
}

/**
 * A play ends where the next one begins if the two are no further apart than this; a crossfade is longer. Starts are
 * rounded to milliseconds, and a replaced file may be 0.05 s longer or shorter than the planned one: without this, there
 * would be short silences, cuts, or a melody that sounds on under an ad.
 */
const MEETING: Ms = 60

function orderPlays(files: DeviceManifest['files'], playlist: SmartPlaylist): Planned[] {
  const plays = playlist.blocks.flatMap(block =>
    block.items.flatMap(item => {
      const file = files[item.file]
      const start = toMs(item.start)
      return file && lengthOf(file) > 0 ? [{ file, start, end: start + lengthOf(file) }] : []
    }),
  )
  const ordered = plays.toSorted((a, b) => a.start - b.start)
  return ordered.map((play, index) => {
    const next = ordered[index + 1]?.start ?? Infinity
    return next > play.start && Math.abs(next - play.end) <= MEETING ? { ...play, end: next } : play
  })
}

interface OrderedDay {
  files: DeviceManifest['files']
  plays: readonly Planned[]
}

/** A walk asks some thousand times about the same day. */
const days = new WeakMap<SmartPlaylist, OrderedDay>()

/** The day's plays in order. */
function plannedPlays({ files }: DeviceManifest, playlist: SmartPlaylist): readonly Planned[] {
  const known = days.get(playlist)
  if (known?.files === files) return known.plays
  const plays = orderPlays(files, playlist)
  days.set(playlist, { files, plays })
  return plays
}

/** The place of the last play that has begun at `position`; -1 before the first. */
function findBegun(plays: readonly Planned[], position: Ms): number {
  let low = 0
  let high = plays.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((plays[middle]?.start ?? Infinity) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}

interface Place {
  window: Window
  /** Since the window's start, by the wall clock; beyond its length when the window is over. */
  position: Ms
  opened: Ms
}

function placeAt(zone: string, playlist: SmartPlaylist, at: Ms): Place {
  const window = windowOf(playlist)
  const wall = wallAt(zone, at)
  const startedToday = Math.floor(wall / DAY) * DAY + window.start
  const opened = startedToday <= wall ? startedToday : startedToday - DAY
  return { window, opened, position: wall - opened }
}

/** The files of a smart day in the order in which they are heard from `at` on, the day's beginning after its end. */
export function filesFrom(manifest: DeviceManifest, playlist: SmartPlaylist, at: Ms): ManifestFile[] {
  const plays = plannedPlays(manifest, playlist)
  const { position } = placeAt(manifest.device.timeZone, playlist, at)
  const now = Math.max(0, findBegun(plays, position))
  const isOver = now === plays.length - 1 && (plays[now]?.end ?? 0) <= position
  return [...plays.slice(isOver ? 0 : now), ...plays.slice(0, isOver ? 0 : now)].map(({ file }) => file)
}

/**
 * The place in a smart playlist's day, by the wall clock: a skipped hour is not played, a repeated one plays twice. A
 * clock change ends what plays, since the timeline jumps there.
 */
export function timelinePositionAt(
  manifest: DeviceManifest,
  playlist: SmartPlaylist,
  at: Ms,
): TimelinePosition {
  const zone = manifest.device.timeZone
  const { window, opened, position } = placeAt(zone, playlist, at)
  const change = nextClockChange(zone, at, at + DAY)
  if (position >= window.length)
    return { state: 'outside-window', until: Math.min(at + DAY - position, change) }

  const day = Math.floor(opened / DAY)
  const plays = plannedPlays(manifest, playlist)
  const index = findBegun(plays, position)
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
