import type { PlayEvent } from '@floorcast/contract/events.ts'
import { type Heard, listTones } from '@floorcast/testing/heard-tones.ts'
import { RECORDED_RATE } from '@floorcast/testing/sound-recorder.ts'

/*
 * Compares a recording of a device with the plays that the server has of it. A song is one tone, so that the recording tells which
 * one plays.
 */

/** Notes of media-song.ts that a short window tells apart, in Hz. */
export const TONES = [
  { note: 0, hertz: 329.63 },
  { note: 2, hertz: 415.3 },
  { note: 4, hertz: 493.88 },
  { note: 6, hertz: 622.25 },
]
/** A play that was heard and the play that was stored may begin so far apart. */
const MAX_APART_MS = 800
const MIN_HEARD_SECONDS = 0.3
/** The error of a play's begin and of the end of the play before it. */
const MAX_OVERLAP_MS = 300

/** The name of a song of one tone. */
export const nameOfTone = (nr: number | null) => `Tone ${nr}`

type Play = Pick<PlayEvent, 'trackName' | 'startedAt' | 'endedAt' | 'secondsPlayed' | 'result' | 'why'>

/** The tones of a recording and the silences between them. */
function listSounds(samples: Int16Array): Heard[] {
  const all = listTones(
    samples,
    TONES.map(({ hertz }) => hertz),
    RECORDED_RATE,
  )
  const isSound = ({ tone }: Heard) => tone !== null
  return all.slice(all.findIndex(isSound), all.findLastIndex(isSound) + 1)
}

const toDetail = ({ trackName, startedAt, endedAt, result, why }: Play) => [
  trackName,
  startedAt,
  endedAt,
  result,
  why,
]

/** Compares what was heard with the plays that the server has of the time. Times of the recording are from `from`. */
function compare(heard: readonly Heard[], stored: readonly Play[], [from, to]: readonly [number, number]) {
  const isOfTheTime = ({ startedAt }: Play) => {
    const at = Date.parse(startedAt)
    return at > from - MAX_APART_MS && at < to
  }
  const plays = stored.filter(isOfTheTime)
  const unmatched = new Set(plays)
  const sounds = heard.filter(
    ({ tone, from: begin, to: end }) => tone !== null && end - begin >= MIN_HEARD_SECONDS,
  )
  const lost = sounds.filter(({ tone, from: begin }) => {
    const at = from + begin * 1000
    const isOfTone = ({ trackName }: Play) => trackName === nameOfTone(tone)
    const apart = ({ startedAt }: Play) => Math.abs(Date.parse(startedAt) - at)
    const [match] = [...unmatched]
      .filter(play => isOfTone(play) && apart(play) < MAX_APART_MS)
      .toSorted((one, other) => apart(one) - apart(other))
    if (match) unmatched.delete(match)
    // A busy machine may leave a hole in a play.
    const isRest = (play: Play) =>
      isOfTone(play) && at > Date.parse(play.startedAt) && at < Date.parse(play.endedAt)
    return match === undefined && !plays.some(isRest)
  })
  const isLong = ({ result, secondsPlayed }: Play) =>
    result !== 'failed' && secondsPlayed > 2 * MIN_HEARD_SECONDS
  // Plays of one song in a row are one sound.
  const isWithin = (play: Play) => {
    const middle = ((Date.parse(play.startedAt) + Date.parse(play.endedAt)) / 2 - from) / 1000
    return sounds.some(
      ({ tone, from: begin, to: end }) =>
        play.trackName === nameOfTone(tone) && begin < middle && middle < end,
    )
  }
  const unheard = [...unmatched].filter(play => isLong(play) && !isWithin(play))
  return {
    counts: { heard: sounds.length, stored: plays.length, lost: lost.length, unheard: unheard.length },
    details: {
      heard: sounds.map(({ tone, from: begin, to: end }) => [
        tone,
        new Date(from + begin * 1000),
        new Date(from + end * 1000),
      ]),
      plays: plays.map(toDetail),
      unmatched: [...unmatched].map(toDetail),
    },
  }
}

/** The longest silence between the first sound and the last one, in seconds. */
function longestSilence(heard: readonly Heard[]): number {
  const silences = heard.filter(({ tone }) => tone === null)
  return Math.max(0, ...silences.map(({ from, to }) => to - from))
}

/** Plays that begin before another one of the device ends: a shop plays one thing at a time. */
function listDoubled(plays: readonly Play[]): Play[] {
  let endedAt = -Infinity
  return plays
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
    .filter(play => {
      const isDouble = Date.parse(play.startedAt) < endedAt - MAX_OVERLAP_MS
      endedAt = Math.max(endedAt, Date.parse(play.endedAt))
      return isDouble
    })
}

export interface Recording {
  samples: Int16Array
  /** The time of its first sample, and of its end, in milliseconds since 1970. */
  startedAt: number
  endedAt: number
}

/** How often a device was heard to play, and what its server has of it. */
export interface HeardPlays {
  heard: number
  stored: number
  /** Heard, and not stored. */
  lost: number
  /** Stored, and not heard. */
  unheard: number
  /** Stored plays that begin before another one ends. */
  doubled: number
  /** The longest silence between the first sound and the last one, in seconds. */
  longestSilence: number
}

/** Compares a recording with all plays that the server has of the device. `report` is what to look at where they differ. */
export function compareRecording(
  { samples, startedAt, endedAt }: Recording,
  stored: readonly Play[],
): { counts: HeardPlays; report: string } {
  const sounds = listSounds(samples)
  const { counts, details } = compare(sounds, stored, [startedAt, endedAt])
  const doubled = listDoubled(stored)
  return {
    counts: {
      ...counts,
      doubled: doubled.length,
      longestSilence: Math.round(longestSilence(sounds) * 100) / 100,
    },
    report: JSON.stringify({ ...details, doubled: doubled.map(toDetail) }),
  }
}
