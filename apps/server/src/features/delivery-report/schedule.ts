import { setImmediate as others } from 'node:timers/promises'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import type { Cue } from '@floorcast/playback/cue-types.ts'
import { publicationAt } from '@floorcast/playback/publication.ts'

/** A search in a schedule. */
export interface Sought {
  publicationUid: string
  mediaUid: string
  from: number
  until: number
  /** The search ends after this many plays. */
  max: number
}

export interface Schedule {
  /** The start of each play, in order. */
  plays: number[]
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
  const held = filesOf(manifest)
  const schedule: Schedule = { plays: [], spans: [], until: sought.until }
  let at = sought.from
  for (let cues = 1; at < sought.until; cues++) {
    const cue = cueAt(manifest, at, held)
    const until = Math.min(cue.until, sought.until)
    const isOn = publicationAt(manifest, at).current?.publication.uid === sought.publicationUid
    if (isOn && !isOff(cue)) addSpan(schedule.spans, at, until)
    if (isOn && cue.kind === 'play' && cue.file.mediaUid === sought.mediaUid && cue.startsAt >= sought.from)
      schedule.plays.push(cue.startsAt)
    at = cue.until
    if (schedule.plays.length >= sought.max || cues >= MAX_CUES)
      return { ...schedule, until: Math.min(at, sought.until) }
    if (cues % CUES_A_TURN === 0) await others()
  }
  return schedule
}
