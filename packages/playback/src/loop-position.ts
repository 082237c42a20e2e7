import type { Ms } from './instant.ts'
import { type Loop, type LoopPlay, playAt, type Track } from './loop.ts'
import { lengthOf } from './media.ts'

/** A track with a start time, and the moment of one day at which it is due. */
export interface DueTrack extends Track {
  dueAt: Ms
}

/** What is on, in instants: one play of a track, or nothing until the next is due. */
export interface LoopPosition {
  track: Track | null
  startsAt: Ms
  /** When the next begins; Infinity when nothing ever does. */
  until: Ms
  /** When its sound ends: after `until` in a crossfade. */
  endsAt: Ms
  isTimed: boolean
}

/** The loop going on from `from`, where its round stands at `phase`. */
interface Stretch {
  loop: Loop
  from: Ms
  phase: Ms
}

/** The timed track that comes next: where it is put in. */
interface Insertion {
  startsAt: Ms
  /** The loop's phase when it goes on. */
  phase: Ms
  /** The loop's play that comes to its full end before, in place of a crossfade. */
  before: LoopPlay | null
}

const wrap = (loop: Loop, phase: Ms): Ms =>
  loop.round > 0 ? ((phase % loop.round) + loop.round) % loop.round : 0

/** The first track boundary at or after `dueAt`. A play before or after a timed track is never crossfaded into it. */
function insertionInto(stretch: Stretch, dueAt: Ms): Insertion {
  const { loop } = stretch
  if (dueAt <= stretch.from) return { startsAt: stretch.from, phase: stretch.phase, before: null }
  const phase = wrap(loop, stretch.phase + dueAt - stretch.from)
  const play = playAt(loop, phase)
  if (!play) return { startsAt: dueAt, phase: stretch.phase, before: null }
  const playStartsAt = dueAt - (phase - play.start)
  if (playStartsAt < dueAt)
    return { startsAt: playStartsAt + play.length, phase: wrap(loop, play.start + play.step), before: play }
  const before = playAt(loop, wrap(loop, play.start - 1)) ?? play
  return { startsAt: dueAt - before.step + before.length, phase: play.start, before }
}

function positionInLoop(stretch: Stretch, insertion: Insertion | null, at: Ms): LoopPosition {
  const { loop } = stretch
  const limit = insertion?.startsAt ?? Infinity
  const phase = wrap(loop, stretch.phase + at - stretch.from)
  const play = playAt(loop, phase)
  if (!play) return { track: null, startsAt: stretch.from, until: limit, endsAt: limit, isTimed: false }
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
  const length = lengthOf(track.file)
  const startsAt = from + Math.floor((at - from) / length) * length
  return { track, startsAt, until: startsAt + length, endsAt: startsAt + length, isTimed: true }
}

/** A loop that began at `origin`, and the due tracks in order, none before `origin`. */
export interface Course {
  loop: Loop
  origin: Ms
  dues: Iterable<DueTrack>
}

/** What is on at `at`: the loop, or a due track at the first boundary at or after its moment; then the loop goes on. */
export function positionAt({ loop, origin, dues }: Course, at: Ms): LoopPosition {
  let stretch: Stretch = { loop, from: origin, phase: 0 }
  for (const due of dues) {
    const insertion = insertionInto(stretch, due.dueAt)
    if (at < insertion.startsAt) return positionInLoop(stretch, insertion, at)
    const endsAt = insertion.startsAt + due.item.plays * lengthOf(due.file)
    if (at < endsAt) return positionInTimed(due, insertion.startsAt, at)
    stretch = { loop, from: endsAt, phase: insertion.phase }
  }
  return positionInLoop(stretch, null, at)
}
