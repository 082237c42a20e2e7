import type { DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { Cue, PlayCue } from './cue-types.ts'
import { type Ms, SECOND } from './instant.ts'
import { SLIP_TOLERANCE_MS } from './iterate-cues.ts'

/** A device's report of what it plays. */
export interface ReportedPlay {
  mediaUid: string
  /** When its file began, or would have if it joined it in its middle. Players of former releases say when their sound began. */
  startedAt: Ms
  durationSeconds: number
}

/** A file and the publication that it plays in. */
export interface PublishedFile {
  file: ManifestFile
  publication: DevicePublication
}

/** The place of a device in its timeline. */
export type DevicePlace =
  /** It follows the schedule, late by `slipMs`. */
  | { kind: 'scheduled'; slipMs: Ms }
  /** It plays something else until `endsAt`, such as the end of a former publication's track. */
  | { kind: 'other'; play: ReportedPlay; endsAt: Ms }

const ON_TIME: DevicePlace = { kind: 'scheduled', slipMs: 0 }

/**
 * Finds the place of a device by its last report.
 *
 * - A report of a scheduled track that began within 2 s of its moment tells by how much the device is late.
 * - A later beginning is that of a device of a former release that joined the track in its middle, as after a restart: such a device is
 *   on time.
 * - Without a report that can still be true, the device counts as on time.
 *
 * @param cueAt the schedule
 */
export function placeOf(play: ReportedPlay | null, cueAt: (at: Ms) => Cue): DevicePlace {
  if (!play) return ON_TIME
  const current = cueAt(play.startedAt)
  const isOf = (cue: Cue): cue is PlayCue => cue.kind === 'play' && cue.file.mediaUid === play.mediaUid
  for (const cue of [current, cueAt(current.until)]) {
    if (!isOf(cue)) continue
    const slipMs = play.startedAt - cue.startsAt
    if (Math.abs(slipMs) <= SLIP_TOLERANCE_MS) return { kind: 'scheduled', slipMs }
  }
  if (isOf(current)) return ON_TIME
  return { kind: 'other', play, endsAt: play.startedAt + play.durationSeconds * SECOND }
}

function shift<C extends Cue>(cue: C, byMs: Ms): C {
  return {
    ...cue,
    until: cue.until + byMs,
    ...(cue.kind === 'play' ? { startsAt: cue.startsAt + byMs } : {}),
  }
}

export interface DeviceTimeline {
  place: DevicePlace
  /** The schedule. */
  cueAt: (at: Ms) => Cue
  /** A file that the device may play; undefined if it is not known. */
  findFile: (mediaUid: string) => PublishedFile | undefined
}

/** The cue of a device at its own place in its timeline. Alerts play at once everywhere. */
export function cueOfDevice({ place, cueAt, findFile }: DeviceTimeline, at: Ms): Cue {
  const scheduled = cueAt(at)
  if (scheduled.kind === 'alert') return scheduled
  if (place.kind === 'scheduled') {
    if (place.slipMs === 0) return scheduled
    const own = cueAt(at - place.slipMs)
    return own.kind === 'alert' ? scheduled : shift(own, place.slipMs)
  }
  const published = at < place.endsAt ? findFile(place.play.mediaUid) : undefined
  if (!published) return scheduled
  const { startedAt } = place.play
  return {
    kind: 'play',
    because: 'loop',
    itemUid: null,
    ...published,
    startsAt: startedAt,
    offsetSeconds: (at - startedAt) / SECOND,
    until: place.endsAt,
    overlapMs: 0,
    cutBy: null,
  }
}
