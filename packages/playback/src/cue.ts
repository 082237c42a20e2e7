import type { DeviceManifest, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { alertCue } from './cue-alert.ts'
import { simplePositionAt, type SimplePlaylist } from './cue-simple.ts'
import { timelinePositionAt, type SmartPlaylist } from './cue-timeline.ts'
import type { Cue, CutReason, Limit, PlayCue, SilentCue, SilentReason } from './cue-types.ts'
import { DAY, type DayNumber, type Ms, parseDay, SECOND } from './instant.ts'
import { openingAt, type OpenPeriod } from './opening-hours.ts'
import { publicationAt } from './publication.ts'
import { dayAt, instantOfWall, zoneOf } from './zone.ts'

/*
 * The cue at an instant. These rules complete the device protocol:
 *
 * - A simple playlist's loop begins at each opening, and on the first day at the publication's start. A shop that never
 *   closes has no opening: its loop continues over midnight, so a playlist longer than a day plays to its end.
 * - A period from 18:00 to 04:00 belongs to the day of its opening, and the playlist's dates mean that day.
 * - Opening hours are instants. An opening time that a clock change skips is the instant of the change; of a repeated
 *   time, the first one opens and the second one closes. A smart playlist follows the wall clock: a skipped hour is not
 *   played, a repeated hour plays twice, and the change ends the current track.
 * - A track with a start time is not in the loop. It plays once a day at the first track boundary at or after its time,
 *   without crossfade. A time outside the opening hours, or before the publication's start, is dropped.
 * - A scheduled publication starts exactly at its instant and cuts the current track. A replaced one changes at a track
 *   boundary.
 * - The loop leaves missing and quarantined files out, so the device is out of step with its group until it has them.
 *   Silence in their place would keep step, but customers would notice it. In a smart playlist, a missing track is silence.
 * - Durations are rounded to milliseconds once, so cues follow each other exactly after any number of rounds.
 */

interface CueContext {
  manifest: DeviceManifest
  publication: DevicePublication
  startedAt: Ms
  held: ReadonlySet<string>
  at: Ms
  /** Null if the shop never closes. */
  period: OpenPeriod | null
  /** The earliest limit. */
  limit: Limit
}

interface PlayPosition {
  because: PlayCue['because']
  itemUid: string | null
  file: ManifestFile
  startsAt: Ms
  until: Ms
  endsAt: Ms
  cutBy: CutReason | null
}

const silent = (because: SilentReason, at: Ms, until: Ms): SilentCue => ({
  kind: 'silent',
  because,
  until: Math.min(until, at + DAY),
})

const soonest = (...limits: Limit[]): Limit => limits.reduce((a, b) => (b.at < a.at ? b : a))

/** The playlist's dates. A missing or unreadable date sets no limit. */
function datesOf({ playlist }: DevicePublication): { first: DayNumber; last: DayNumber } {
  const first = parseDay(playlist.startDate ?? '')
  const last = parseDay(playlist.endDate ?? '')
  return { first: Number.isNaN(first) ? -Infinity : first, last: Number.isNaN(last) ? Infinity : last }
}

function playCue({ at, publication, limit }: CueContext, sounding: PlayPosition): PlayCue {
  const { endsAt, ...rest } = sounding
  const isLimited = limit.at < rest.until
  const until = isLimited ? limit.at : rest.until
  return {
    ...rest,
    kind: 'play',
    publication,
    offsetSeconds: (at - rest.startsAt) / SECOND,
    until,
    overlapMs: isLimited ? 0 : Math.max(0, Math.min(endsAt, limit.at) - until),
    cutBy: isLimited ? limit.why : rest.cutBy,
  }
}

/** The cue of a simple playlist. Its dates refer to the day of the opening. */
function simpleCue(context: CueContext, playlist: SimplePlaylist): Cue {
  const { manifest, held, at, period } = context
  const zone = zoneOf(manifest.device)
  const { first, last } = datesOf(context.publication)
  const midnightOf = (day: DayNumber) => (Number.isFinite(day) ? instantOfWall(zone, day * DAY) : day)
  const today = period?.day ?? dayAt(zone, at)
  if (today < first || today > last) {
    const changesAt = period || today > last ? Infinity : midnightOf(first)
    return silent('outside-dates', at, Math.min(changesAt, context.limit.at))
  }
  const origin = Math.max(context.startedAt, period?.from ?? midnightOf(first))
  const limit = period
    ? context.limit
    : soonest(context.limit, { at: midnightOf(last + 1), why: 'outside-dates' })
  const { track, isTimed, ...position } = simplePositionAt(
    { zone, playlist, files: context.publication.files, origin, end: limit.at, held },
    at,
  )
  if (!track) return silent(position.reason, at, Math.min(position.until, limit.at))
  const { startsAt, until, endsAt } = position
  const because = isTimed ? 'start-time' : 'loop'
  const { item, file } = track
  return playCue(
    { ...context, limit },
    { because, itemUid: item.uid, file, startsAt, until, endsAt, cutBy: null },
  )
}

function smartCue(context: CueContext, playlist: SmartPlaylist): Cue {
  const { at, limit } = context
  const { manifest, publication } = context
  const day = { zone: zoneOf(manifest.device), playlist, files: publication.files }
  const position = timelinePositionAt(day, at)
  const until = Math.min(position.until, limit.at)
  if (position.state === 'outside-window') return silent('outside-window', at, until)
  const { first, last } = datesOf(context.publication)
  if (position.day < first || position.day > last) return silent('outside-dates', at, until)
  if (position.state === 'idle') return silent('empty', at, until)
  const { file, startsAt, endsAt, cutBy } = position
  if (!context.held.has(file.sha256)) return silent('not-downloaded', at, until)
  return playCue(context, {
    because: 'timeline',
    itemUid: null,
    file,
    startsAt,
    until: position.until,
    endsAt,
    cutBy,
  })
}

/**
 * The cue at an instant: what plays, from which offset, until when and why, or why nothing plays. It returns a cue for
 * every manifest and finite instant, and `until` is always after `at`. The next cue is `cueAt(manifest, cue.until, held)`.
 * @param at milliseconds since 1970 in UTC
 * @param held hashes of the playable files on the disk
 */
export function cueAt(manifest: DeviceManifest, at: Ms, held: ReadonlySet<string>): Cue {
  const alert = alertCue(manifest, at)
  if (alert) return alert
  const opening = openingAt(manifest.device, at)
  if (opening.state === 'closed') return silent('closed', at, opening.until)
  const period = opening.state === 'open' ? opening.period : null
  const { current, nextAt } = publicationAt(manifest, at)
  const limit = soonest({ at: period?.until ?? Infinity, why: 'closed' }, { at: nextAt, why: 'publication' })
  if (!current) return silent('no-publication', at, limit.at)
  const context = { manifest, ...current, held, at, period, limit }
  const { playlist } = current.publication
  return playlist.form === 'simple' ? simpleCue(context, playlist) : smartCue(context, playlist)
}

/** The hashes of all files that a manifest and its programmes name. */
export const filesOf = ({ files, publications }: DeviceManifest): ReadonlySet<string> =>
  new Set([files, ...publications.map(each => each.files)].flatMap(list => list.map(file => file.sha256)))
