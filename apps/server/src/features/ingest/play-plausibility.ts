import {
  type LeftOut,
  type PlayEvent,
  SHORTER_THAN_FILE,
  UNKNOWN_PUBLICATION,
} from '@floorcast/contract/events.ts'

/** No medium is longer than a week. */
const MAX_MEDIUM_SECONDS = 7 * 86_400
/** A player that stalls, or whose clock is corrected during a play, reports a longer play than the medium has. */
const MAX_STALL_SECONDS = 60
const MAX_CLOCK_ERROR = 0.01

/**
 * Why no player can have played this; null if one can. The length of the medium is the one that the device says; `checkPlay` compares
 * with the server's. Its time does not matter: a play with a wrong clock is stored with a flag.
 */
export function whyNotPlayed(play: PlayEvent): string | null {
  const { durationSeconds, secondsPlayed } = play
  const [startedAt, endedAt] = [Date.parse(play.startedAt), Date.parse(play.endedAt)]
  if (durationSeconds > MAX_MEDIUM_SECONDS) return 'durationSeconds: longer than a week'
  if (endedAt < startedAt) return 'endedAt: before startedAt'
  const longest = durationSeconds * (1 + MAX_CLOCK_ERROR) + MAX_STALL_SECONDS
  if (secondsPlayed > longest) return 'secondsPlayed: longer than the medium'
  if ((endedAt - startedAt) / 1000 > longest) return 'endedAt: later than the medium is long'
  return null
}

/** What the server knows of a file. */
export interface KnownFile {
  contentType: string
  durationSeconds: number
}

/** What the server knows of that which a play names. */
export interface KnownNames {
  /** A reason: the client never had the file. */
  file: KnownFile | LeftOut
  /** The client has the publication, maybe in its recycle bin, or the play names none. */
  hasPublication: boolean
}

/** A play as it is stored. */
export type StoredPlay = Pick<PlayEvent, 'result' | 'why' | 'durationSeconds' | 'publicationUid'> & {
  leftOut: LeftOut | null
}

/** Players call a play complete that ends half a second before the end of its file; their clocks differ by up to 0.15 %. */
const END_TOLERANCE_SECONDS = 0.5
const END_TOLERANCE = 0.005

/** How long a play of a file lasts at least that heard it whole. */
export const wholeSecondsOf = (fileSeconds: number): number =>
  fileSeconds - Math.min(END_TOLERANCE_SECONDS + fileSeconds * END_TOLERANCE, fileSeconds / 2)

/** How long a play of a file lasts at most. A slow machine stalls for some seconds; a play of twice its file played something else. */
const longestSecondsOf = (fileSeconds: number): number =>
  Math.min(fileSeconds * 1.5 + 1, fileSeconds * (1 + MAX_CLOCK_ERROR) + MAX_STALL_SECONDS)

/** How long a play lasted, by its seconds or by its dates. */
export const heardMsOf = (play: Pick<PlayEvent, 'startedAt' | 'endedAt' | 'secondsPlayed'>): number =>
  Math.max(Date.parse(play.endedAt) - Date.parse(play.startedAt), play.secondsPlayed * 1000)

/**
 * Compares a play with what its client has by the server's own rows. Of a file that the client had, the play gets the length; of a
 * publication that it does not have, the play counts for no publication.
 */
export function checkPlay(play: PlayEvent, { file, hasPublication }: KnownNames): StoredPlay {
  const { result, durationSeconds } = play
  const [why, publicationUid] = hasPublication
    ? [play.why, play.publicationUid]
    : [play.why ?? UNKNOWN_PUBLICATION, null]
  if (typeof file === 'string') return { result, why, durationSeconds, publicationUid, leftOut: file }
  const known = { result, why, durationSeconds: file.durationSeconds, publicationUid, leftOut: null }
  if (file.contentType !== play.contentType) return { ...known, leftOut: 'other-kind' }
  if (heardMsOf(play) / 1000 > longestSecondsOf(file.durationSeconds))
    return { ...known, leftOut: 'too-long' }
  if (result === 'complete' && play.secondsPlayed < wholeSecondsOf(file.durationSeconds))
    return { ...known, result: 'cut', why: play.why ?? SHORTER_THAN_FILE }
  return known
}
