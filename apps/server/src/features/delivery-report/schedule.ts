import { setImmediate as others } from 'node:timers/promises'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import type { Cue } from '@floorcast/playback/cue-types.ts'
import { publicationAt } from '@floorcast/playback/publication.ts'

/** A search in a schedule. */
export interface Sought {
  publicationUid: string
  /** Null: every media item. */
  mediaUid: string | null
  from: number
  until: number
  /** The search ends after this many plays. */
  max: number
}

export interface Schedule {
  /** The start of each play, in order. */
  plays: number[]
  /** The media item of each play. */
  mediaUids: string[]
  /** The spans on the air, in order. */
  spans: [from: number, until: number][]
  /** The end of the searched period. */
  until: number
}

/** 45 days of fifteen-second tracks, which take two seconds. */
const MAX_CUES = 250_000
/** Other calls run after this many cues. */
const CUES_A_TURN = 2000

/** The plays from a moment on. */
export function playsFrom({ plays }: Schedule, from: number): number {
  const first = plays.findIndex(at => at >= from)
  return first < 0 ? 0 : plays.length - first
}

/** The plays of each media item from a moment on. */
export function playsByMedia({ plays, mediaUids }: Schedule, from: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [n, at] of plays.entries()) {
    const mediaUid = mediaUids[n]
    if (at >= from && mediaUid !== undefined) counts.set(mediaUid, (counts.get(mediaUid) ?? 0) + 1)
  }
  return counts
}

/** Milliseconds on the air from a moment on. */
export const onAirFrom = ({ spans }: Schedule, from: number): number =>
  spans.reduce((sum, [start, until]) => sum + Math.max(0, until - Math.max(start, from)), 0)

function addSpan(spans: Schedule['spans'], from: number, until: number): void {
  const last = spans.at(-1)
  if (last?.[1] === from) last[1] = until
  else spans.push([from, until])
}

const isOff = (cue: Cue) =>
  cue.kind === 'silent' && cue.because !== 'empty' && cue.because !== 'not-downloaded'

/** Finds the plays of a media item by a publication, with the cues of devices that hold all files. */
export async function scheduleOf(manifest: DeviceManifest, sought: Sought): Promise<Schedule> {
  const { mediaUid } = sought
  const held = filesOf(manifest)
  const schedule: Schedule = { plays: [], mediaUids: [], spans: [], until: sought.until }
  const isSought = (cue: Cue) =>
    cue.kind === 'play' &&
    (mediaUid === null || cue.file.mediaUid === mediaUid) &&
    cue.startsAt >= sought.from
  let at = sought.from
  for (let cues = 1; at < sought.until; cues++) {
    const cue = cueAt(manifest, at, held)
    const until = Math.min(cue.until, sought.until)
    const isOn = publicationAt(manifest, at).current?.publication.uid === sought.publicationUid
    if (isOn && !isOff(cue)) addSpan(schedule.spans, at, until)
    if (isOn && cue.kind === 'play' && isSought(cue)) {
      schedule.plays.push(cue.startsAt)
      schedule.mediaUids.push(cue.file.mediaUid)
    }
    at = cue.until
    if (schedule.plays.length >= sought.max || cues >= MAX_CUES)
      return { ...schedule, until: Math.min(at, sought.until) }
    if (cues % CUES_A_TURN === 0) await others()
  }
  return schedule
}
