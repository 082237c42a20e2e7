import { RECORDED_RATE } from '@floorcast/testing/sound-recorder.ts'
import { findPlace, lineThrough } from './sound-analysis.ts'

/** Where the first search of a recording looks, to both sides of the expected place. */
const FIRST_RADIUS = 2 * RECORDED_RATE
/** A join may add or lose so many samples. */
const JOIN_RADIUS = Math.round(0.15 * RECORDED_RATE)
/** A corrected speed moves ten seconds of sound by 10 ms. */
const NEAR_RADIUS = 1200
/** Around a join, an encoder's edges are not looked at. */
const EDGE_SECONDS = 0.08
const BESIDE_SECONDS = 1.2
const PLACES_BESIDE = 4
const MIN_LIKENESS = 0.7
/** Drift is looked at so often. */
export const STEP_SECONDS = 10

/** A recording of a known sound that was played as a chain of files. */
export interface ChainRecording {
  recorded: Int16Array
  reference: Int16Array
  /** The samples of the known sound at which files join. */
  joins: readonly number[]
  /** The sample of the recording that is looked at first, and the sample of the known sound that is expected there. */
  start: { recorded: number; expected: number }
}

/** A chain as it was heard, in samples. */
export interface HeardChain {
  /** Pairs: the sample of the recording at which two files join, and what the join has added (positive) or lost. */
  gaps: (readonly [number, number])[]
  /** Pairs every 10 s: a sample of the recording, and that of the known sound which sounds there. */
  places: (readonly [number, number])[]
}

/** By how many samples the recording is ahead of the known sound at a place of the recording. */
type Lead = readonly [recorded: number, lead: number]

/** Follows a chain through its recording, as far as it goes. Joins beside which the sound stalls are left out. */
export function followChain({ recorded, reference, joins, start }: ChainRecording): HeardChain {
  const sounds = { recorded, reference }
  let lead = start.recorded - start.expected
  const leadAt = (at: number, radius: number): Lead | null => {
    if (at + RECORDED_RATE > recorded.length) return null
    const { at: place, likeness } = findPlace(sounds, at, { expected: at - lead, radius })
    if (likeness < MIN_LIKENESS) return null
    lead = at - place
    return [at, lead]
  }
  const heard: HeardChain = { gaps: [], places: [] }
  if (!leadAt(start.recorded, FIRST_RADIUS)) return heard
  const follow = (from: number, until: number) => {
    for (let at = from; at < until; at += STEP_SECONDS * RECORDED_RATE) {
      const found = leadAt(Math.round(at), NEAR_RADIUS)
      if (found) heard.places.push([found[0], found[0] - found[1]])
    }
  }
  const beside = (at: number, direction: 1 | -1, radius: number) => {
    const leads: Lead[] = []
    const seconds = (n: number) =>
      EDGE_SECONDS + ((BESIDE_SECONDS - EDGE_SECONDS) * n) / (PLACES_BESIDE - 1) + (direction < 0 ? 0.1 : 0)
    for (let n = 0; n < PLACES_BESIDE; n += 1) {
      const found = leadAt(
        Math.round(at + direction * seconds(n) * RECORDED_RATE),
        n === 0 ? radius : NEAR_RADIUS,
      )
      if (!found) return null
      leads.push(found)
    }
    return lineThrough(leads.map(([place, value]) => [place - at, value] as const)).start
  }
  let from = start.recorded
  for (const join of joins) {
    if (join + lead < start.recorded + 2 * BESIDE_SECONDS * RECORDED_RATE) continue
    follow(from, join + lead - BESIDE_SECONDS * RECORDED_RATE)
    const at = join + lead
    const before = beside(at, -1, NEAR_RADIUS)
    const after = beside(at, 1, JOIN_RADIUS)
    if (before !== null && after !== null) heard.gaps.push([at, after - before])
    from = at + BESIDE_SECONDS * RECORDED_RATE
  }
  follow(from, reference.length + lead)
  return heard
}
