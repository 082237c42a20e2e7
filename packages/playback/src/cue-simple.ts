import type { ManifestFile, ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import { DAY, type Ms, parseTimeOfDay } from './instant.ts'
import { makeLoop, type Track } from './loop.ts'
import { type TimedTrack, type LoopPosition, positionAt } from './loop-position.ts'
import { lengthMsOf } from './media.ts'
import { dayAt, instantOfWall } from './zone.ts'

export type SimplePlaylist = Extract<ManifestPlaylist, { form: 'simple' }>

export interface SimpleContext {
  /** The device's time zone. */
  zone: string
  playlist: SimplePlaylist
  /** The playlist's items index them. */
  files: readonly ManifestFile[]
  /** The loop's start: the opening, or the publication's start on its first day. */
  origin: Ms
  /** Timed tracks at or after it are dropped. */
  end: Ms
  held: ReadonlySet<string>
}

function playableTracks({ files, playlist }: SimpleContext): Track[] {
  return playlist.items.flatMap(item => {
    const file = files[item.file]
    return file && lengthMsOf(file) > 0 ? [{ item, file }] : []
  })
}

/** The timed tracks, each once a day, in time order. The sequence is endless if the shop never closes. */
function* timedTracksOf(tracks: readonly Track[], question: SimpleContext): Generator<TimedTrack> {
  const { zone } = question
  const timed = tracks
    .map(track => ({ ...track, wall: parseTimeOfDay(track.item.startTime ?? '') }))
    .filter(track => !Number.isNaN(track.wall))
    .toSorted((a, b) => a.wall - b.wall)
  if (timed.length === 0) return
  for (let day = dayAt(zone, question.origin); ; day += 1) {
    for (const track of timed) {
      const dueAt = instantOfWall(zone, day * DAY + track.wall)
      if (dueAt >= question.end) return
      if (dueAt >= question.origin) yield { ...track, dueAt }
    }
  }
}

/**
 * The position of a simple playlist at an instant. The loop consists of held tracks only. A missing track is left out, so
 * that a shop hears music from the first downloaded file on. `reason` applies to a position without a track.
 */
export function simplePositionAt(
  context: SimpleContext,
  at: Ms,
): LoopPosition & { reason: 'empty' | 'not-downloaded' } {
  const tracks = playableTracks(context)
  const held = tracks.filter(track => context.held.has(track.file.sha256))
  const loop = makeLoop(
    held.filter(track => track.item.startTime === null),
    context.playlist.crossfadeSeconds,
  )
  const timed = held.filter(track => track.item.startTime !== null)
  const position = positionAt(
    { loop, origin: context.origin, timedTracks: timedTracksOf(timed, context) },
    at,
  )
  return { ...position, reason: held.length < tracks.length ? 'not-downloaded' : 'empty' }
}
