import { aimOf, KINDS, readKindList } from './track-list.ts'
import type { KindFigures, PlanBlock, PlanInput, PlanKind, PlanSummary, TrackFigures } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'

interface Tally {
  plays: number
  seconds: number
  lastStart: number
  lastEnd: number
  distance: number
  gap: number
}

const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0)
const known = (distance: number) => (Number.isFinite(distance) ? distance : null)

function tally(blocks: readonly PlanBlock[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>()
  for (const { items } of blocks)
    for (const { uid, start, duration } of items) {
      const seen = tallies.get(uid)
      const lastEnd = start + duration
      if (!seen)
        tallies.set(uid, {
          plays: 1,
          seconds: duration,
          lastStart: start,
          lastEnd,
          distance: Infinity,
          gap: Infinity,
        })
      else {
        seen.plays++
        seen.seconds += duration
        seen.distance = Math.min(seen.distance, start - seen.lastStart)
        // A crossfade lets a track begin before its former play ends.
        seen.gap = Math.min(seen.gap, Math.max(0, start - seen.lastEnd))
        seen.lastStart = start
        seen.lastEnd = lastEnd
      }
    }
  return tallies
}

/** The deviation of each block from its target, without the kind's last block. */
function deviationsOf(blocks: readonly PlanBlock[], target: number): number[] {
  return blocks.slice(0, -1).map(({ duration }) => Math.max(duration - target, target - duration))
}

const mean = (values: readonly number[]) =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )
const worst = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0)

interface Whole {
  input: PlanInput
  blocks: readonly PlanBlock[]
  hours: number
  content: number
}

const unheard = { plays: 0, seconds: 0, distance: Infinity, gap: Infinity }

function tracksOf(
  kind: PlanKind,
  tallies: Map<string, Tally>,
  { input, hours, content }: Whole,
): TrackFigures[] {
  return readKindList(input, kind).tracks.map(({ uid }) => {
    const { plays, seconds, distance, gap } = tallies.get(uid) ?? unheard
    return {
      uid,
      kind,
      plays,
      playsAnHour: share(plays, hours),
      share: share(seconds, content),
      shortestDistanceSeconds: known(distance),
      shortestGapSeconds: known(gap),
    }
  })
}

function figuresOf(kind: PlanKind, whole: Whole) {
  const own = whole.blocks.filter(block => block.kind === kind)
  const tallies = tally(own)
  const tracks = tracksOf(kind, tallies, whole)
  const seconds = own.reduce((sum, block) => sum + block.duration, 0)
  const plays = own.reduce((sum, block) => sum + block.items.length, 0)
  const { target } = aimOf(readKindList(whole.input, kind))
  const deviations = deviationsOf(own, target)
  const shortest = (key: 'distance' | 'gap') =>
    known([...tallies.values()].reduce((least, one) => Math.min(least, one[key]), Infinity))
  const figures: KindFigures = {
    blocks: own.length,
    plays,
    playsAnHour: share(plays, whole.hours),
    seconds,
    share: share(seconds, whole.content),
    unheard: tracks.filter(track => track.plays === 0).length,
    targetSeconds: target,
    meanDeviationSeconds: mean(deviations),
    worstDeviationSeconds: worst(deviations),
    shortestDistanceSeconds: shortest('distance'),
    shortestGapSeconds: shortest('gap'),
  }
  return { figures, tracks, deviations }
}

/** The key features of a day's blocks. */
export function summarize(blocks: readonly PlanBlock[], input: PlanInput): PlanSummary {
  const window = windowSeconds(input)
  const content = blocks.reduce((sum, { duration }) => sum + duration, 0)
  const whole = { input, blocks, hours: window / 3600, content }
  const [melody, ad] = [figuresOf(KINDS[0], whole), figuresOf(KINDS[1], whole)]
  const deviations = [...melody.deviations, ...ad.deviations]
  return {
    windowSeconds: window,
    contentSeconds: content,
    idleSeconds: window - content,
    blocks: blocks.length,
    plays: melody.figures.plays + ad.figures.plays,
    meanDeviationSeconds: mean(deviations),
    worstDeviationSeconds: worst(deviations),
    melody: melody.figures,
    ad: ad.figures,
    tracks: [...melody.tracks, ...ad.tracks],
  }
}
