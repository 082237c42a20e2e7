import type { Ms } from './instant.ts'
import { type Loop, type LoopPlay, playAt, type Track } from './loop.ts'
import { lengthMsOf } from './media.ts'

/*
 * The position in a simple playlist. The loop is periodic, so the play at an instant follows from the phase of its round.
 * A timed track interrupts the loop at the first track boundary at or after its time, and the loop continues after it. Each
 * interruption shifts the phase, so `positionAt` goes through the timed tracks since the loop's start.
 */

/** A track with a start time, and the instant of one day at which it is due. */
export interface TimedTrack extends Track {
  dueAt: Ms
}

/** The play at an instant, or nothing until the next timed track. */
export interface LoopPosition {
  track: Track | null
  startsAt: Ms
  /** The start of the next play; Infinity without one. */
  until: Ms
  /** The end of its sound: after `until` in a crossfade. */
  endsAt: Ms
  isTimed: boolean
}

/** The loop from `from` on, where its round is at `phase`. */
interface LoopSegment {
  loop: Loop
  from: Ms
  phase: Ms
}

/** The point at which a timed track interrupts the loop. */
interface Insertion {
  startsAt: Ms
  /** The loop's phase when it continues. */
  phase: Ms
  /** The loop's last play before it, which has no crossfade. */
  before: LoopPlay | null
}

const wrap = (loop: Loop, phase: Ms): Ms =>
  loop.round > 0 ? ((phase % loop.round) + loop.round) % loop.round : 0

/** Finds the first track boundary at or after `dueAt`. There is no crossfade before or after a timed track. */
function insertionInto(segment: LoopSegment, dueAt: Ms): Insertion {
  const { loop } = segment
  if (dueAt <= segment.from) return { startsAt: segment.from, phase: segment.phase, before: null }
  const phase = wrap(loop, segment.phase + dueAt - segment.from)
  const play = playAt(loop, phase)
  if (!play) return { startsAt: dueAt, phase: segment.phase, before: null }
  const playStartsAt = dueAt - (phase - play.start)
  if (playStartsAt < dueAt)
    return { startsAt: playStartsAt + play.length, phase: wrap(loop, play.start + play.step), before: play }
  const before = playAt(loop, wrap(loop, play.start - 1)) ?? play
  return { startsAt: dueAt - before.step + before.length, phase: play.start, before }
}

function positionInLoop(segment: LoopSegment, insertion: Insertion | null, at: Ms): LoopPosition {
  const { loop } = segment
  const limit = insertion?.startsAt ?? Infinity
  const phase = wrap(loop, segment.phase + at - segment.from)
  const play = playAt(loop, phase)
  if (!play) return { track: null, startsAt: segment.from, until: limit, endsAt: limit, isTimed: false }
  const last = insertion?.before
  if (last && at >= limit - last.length)
    return { track: last, startsAt: limit - last.length, until: limit, endsAt: limit, isTimed: false }
  const startsAt = at - (phase - play.start)
  return {
    track: play,
    startsAt,
    until: startsAt + play.step,
    endsAt: startsAt + play.length,
    isTimed: false,
  }
}

function positionInTimed(track: Track, from: Ms, at: Ms): LoopPosition {
  const length = lengthMsOf(track.file)
  const startsAt = from + Math.floor((at - from) / length) * length
  return { track, startsAt, until: startsAt + length, endsAt: startsAt + length, isTimed: true }
}

/** A loop that starts at `origin`, and the timed tracks in time order, none before `origin`. */
export interface LoopSchedule {
  loop: Loop
  origin: Ms
  timedTracks: Iterable<TimedTrack>
}

/** The play at `at`. A timed track starts at the first boundary at or after its time, and the loop continues after it. */
export function positionAt({ loop, origin, timedTracks }: LoopSchedule, at: Ms): LoopPosition {
  let segment: LoopSegment = { loop, from: origin, phase: 0 }
  for (const timed of timedTracks) {
    const insertion = insertionInto(segment, timed.dueAt)
    if (at < insertion.startsAt) return positionInLoop(segment, insertion, at)
    const endsAt = insertion.startsAt + timed.item.plays * lengthMsOf(timed.file)
    if (at < endsAt) return positionInTimed(timed, insertion.startsAt, at)
    segment = { loop, from: endsAt, phase: insertion.phase }
  }
  return positionInLoop(segment, null, at)
}
