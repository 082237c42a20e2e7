import type { ManifestFile, ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import { DAY, type Ms, parseTimeOfDay } from './instant.ts'
import { type Loop, makeLoop, type Track } from './loop.ts'
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

/** The held tracks of a playlist as they follow. */
interface Arrangement {
  items: SimplePlaylist['items']
  files: readonly ManifestFile[]
  /** All playable tracks in order. */
  tracks: readonly Track[]
  isHeld: readonly boolean[]
  loop: Loop
  timed: readonly Track[]
}

/** The last arrangement of a playlist: a walk from cue to cue asks thousands of times for the same. */
const arranged = new WeakMap<SimplePlaylist, Arrangement>()

function playableTracks({ files, playlist }: SimpleContext): Track[] {
  return playlist.items.flatMap(item => {
    const file = files[item.file]
    return file && lengthMsOf(file) > 0 ? [{ item, file }] : []
  })
}

function arrangementOf(context: SimpleContext): Arrangement {
  const { playlist, files, held } = context
  const { items, crossfadeSeconds } = playlist
  const known = arranged.get(playlist)
  const isKnown = known?.files === files && known.items === items
  if (isKnown && known.tracks.every(({ file }, nr) => held.has(file.sha256) === known.isHeld[nr]))
    return known
  const tracks = isKnown ? known.tracks : playableTracks(context)
  const isHeld = tracks.map(({ file }) => held.has(file.sha256))
  const present = tracks.filter((_, nr) => isHeld[nr])
  const loop = makeLoop(
    present.filter(({ item }) => item.startTime === null),
    crossfadeSeconds,
  )
  const timed = present.filter(({ item }) => item.startTime !== null)
  const arrangement = { items, files, tracks, isHeld, loop, timed }
  arranged.set(playlist, arrangement)
  return arrangement
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
  const { isHeld, loop, timed } = arrangementOf(context)
  const position = positionAt(
    { loop, origin: context.origin, timedTracks: timedTracksOf(timed, context) },
    at,
  )
  return { ...position, reason: isHeld.includes(false) ? 'not-downloaded' : 'empty' }
}
